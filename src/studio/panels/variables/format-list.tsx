/** Formats to choose from, each shown by its result for the sample value. */
import type { VNode } from 'preact';
import type { Variable } from '#language/schema/template.ts';
import { Bar } from '../../canvas/tools/bar.tsx';
import { behindFrame } from '../behind-frame.ts';
import type { Editor } from '../../state/editor.ts';
import { formatChoices, withFormat } from './format-choices.ts';
import type { FormatChoice } from './format-choices.ts';
import { linkText, splitBinding } from './variables.ts';
import type { PlacedBinding } from './variables.ts';

export interface FormatListProps {
  editor: Editor;
  /** Variables that the text may bind. */
  variables: readonly Variable[];
  text: string;
  /** The chip in the text that is selected, or that the caret is in. */
  chip: PlacedBinding;
  /** Called with the text in which the format is chosen, and the new index of the caret. */
  write: (text: string, caret: number) => void;
  /** Selects the letters of the chip, its name and its formats, to be typed over or edited. */
  edit: (letters: [from: number, to: number]) => void;
}

/** The formats of the variable, none for an unknown one and for types without formats, and a button to edit the chip. */
export function FormatList(props: FormatListProps): VNode | null {
  const { editor, variables, text, chip, write, edit } = props;
  const { name, formats } = splitBinding(chip.source);
  const variable = variables.find((each) => each.name === name);
  const choices = variable === undefined ? [] : choicesOf(editor, variable, formats);
  return (
    <div
      class="p-format-list"
      onKeyDown={(event) => {
        // The canvas would apply the key to layers.
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
      }}
    >
      <Bar label={`Format of ${name}`} className="p-formats">
        {choices.map(({ formats: each, shown, isChosen }) => (
          <button
            key={each}
            type="button"
            aria-pressed={isChosen}
            title={each === '' ? 'As it is' : each}
            onClick={() => write(...withFormat(text, chip, each))}
          >
            {shown}
          </button>
        ))}
        <button
          type="button"
          class="p-edit-chip"
          title="Edit the name and the formats as text"
          onClick={() => edit([chip.from + 2, chip.to - 2])}
        >
          Edit
        </button>
      </Bar>
    </div>
  );
}

function choicesOf(editor: Editor, variable: Variable, formats: string): FormatChoice[] {
  const { name, type } = variable;
  if (!['text', 'number', 'date'].includes(type)) return [];
  const value = String(editor.values.value[name] ?? linkText(variable));
  return formatChoices(behindFrame(editor).document.value, { type, value }, formats);
}
