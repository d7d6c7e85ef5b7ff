/** Formats to choose from, each with what it makes of the sample value. */
import type { VNode } from 'preact';
import type { Variable } from '#language/schema/template.ts';
import { Bar } from '../../canvas/tools/bar.tsx';
import type { Editor } from '../../state/editor.ts';
import { formatChoices, withFormat } from './format-choices.ts';
import { linkText, splitBinding } from './variables.ts';
import type { PlacedBinding } from './variables.ts';

export interface FormatListProps {
  editor: Editor;
  /** What the text may bind. */
  variables: readonly Variable[];
  text: string;
  /** The chip in the text that is selected, or that the caret is in. */
  chip: PlacedBinding;
  /** Gets the text with the chosen format, and where the caret comes. */
  write: (text: string, caret: number) => void;
}

/** Nothing for a variable whose values no format takes. */
export function FormatList(props: FormatListProps): VNode | null {
  const { editor, variables, text, chip, write } = props;
  const { name, formats } = splitBinding(chip.source);
  const variable = variables.find((each) => each.name === name);
  if (variable === undefined || !['text', 'number', 'date'].includes(variable.type)) return null;
  const value = String(editor.values.value[name] ?? linkText(variable));
  const choices = formatChoices(editor.document.value, { type: variable.type, value }, formats);
  return (
    <div
      class="p-format-list"
      onKeyDown={(event) => {
        // Keys of the canvas act on layers.
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
      </Bar>
    </div>
  );
}
