/** The name of a variable, and the rows of its settings. */
import type { TargetedEvent, VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Variable } from '#language/schema/template.ts';
import type { Editor } from '../../state/editor.ts';
import { renameVariable } from './variables.ts';

/** Renames a variable and all its uses when the field is left. */
export function NameField({ editor, variable }: { editor: Editor; variable: Variable }): VNode {
  const id = useId();
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const rename = (event: TargetedEvent<HTMLInputElement>): void => {
    const to = event.currentTarget.value.trim();
    const from = variable.name;
    if (to === from) return setProblem(undefined);
    const isTaken = editor.document.value.variables.some(({ name }) => name === to);
    if (to === '' || /[{}]/.test(to)) {
      return setProblem('Write 1 to 128 characters without { and }.');
    }
    if (isTaken) return setProblem(`There is a variable ${to} already. Choose another name.`);
    setProblem(undefined);
    editor.changeWhole('Rename variable', (draft) => renameVariable(draft, from, to));
    const { [from]: sample, ...rest } = editor.values.value;
    editor.values.value = sample === undefined ? rest : { ...rest, [to]: sample };
  };
  return (
    <>
      {settingRow(
        id,
        'Name',
        <input
          id={id}
          type="text"
          maxlength={128}
          autocomplete="off"
          spellcheck={false}
          value={variable.name}
          aria-invalid={problem !== undefined}
          onChange={rename}
        />,
      )}
      {problem === undefined ? null : (
        <p class="p-problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** A label beside its control. */
export function settingRow(id: string, label: string, control: VNode): VNode {
  return (
    <div class="p-row p-fixed">
      <label for={id}>{label}</label>
      <div class="p-control">{control}</div>
    </div>
  );
}
