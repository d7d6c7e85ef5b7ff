/** The value that the preview shows for a variable: its default, a written value, or a likely value of a contact. */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { Variable } from '#language/schema/template.ts';
import { parseTableSource } from '#language/values/table-source.ts';
import { limitProblem } from './taken-values.ts';
import { valueControl } from './value-control.tsx';
import { defaultWords, linkText } from './variables.ts';
import { valuePresets } from '../../samples/presets.ts';
import { later } from '../../later-part.tsx';
import type { Editor } from '../../state/editor.ts';
import type { Values } from '../../state/frames.ts';
import { sentenceOf, valueProblem } from '../../wording.ts';

const ValueItems = later((code) => code.ValueItems);

interface VariableSampleProps {
  editor: Editor;
  variable: Variable;
  /** Whether the page has no table of the default's items. */
  isAlone?: boolean;
}

type Value = Values[string];

/** Edits the sample value. A variable that comes from a table shows its source instead. */
export function VariableSample(props: VariableSampleProps): VNode {
  const { from } = props.variable;
  if (from !== undefined) {
    const { table, keyVariable, column } = parseTableSource(from);
    return (
      <p class="p-note">
        Comes from the column {column} of the table {table}, in the row of {keyVariable}.
      </p>
    );
  }
  return <TemplateSample {...props} />;
}

/** An emptied field tries the empty value. The menu restores the default. */
function TemplateSample({ editor, variable, isAlone = false }: VariableSampleProps): VNode {
  const { name, type } = variable;
  const value = linkText(variable);
  const id = useId();
  const sample = editor.values.value[name];
  const change = (next: Value | undefined): void => {
    const { [name]: _, ...rest } = editor.values.value;
    editor.values.value = next === undefined ? rest : { ...rest, [name]: next };
  };
  const problem = valueProblem(editor.frameError.value, name);
  // Their controls show the default as a placeholder.
  const isTyped = type === 'text' || type === 'number';
  return (
    <div class="p-sample">
      <label class="p-note" for={id}>
        Preview with<span class="quiet"> as {name}</span>
      </label>
      <TryMenu variable={variable} sample={sample} change={change} />
      {variable.type === 'list' && (isAlone || sample !== undefined) && (
        <ValueItems editor={editor} variable={variable} value={sample ?? value} change={change} />
      )}
      {variable.type !== 'list' &&
        valueControl({
          editor,
          id,
          label: `Sample value of ${name}`,
          variable,
          value: sample === undefined ? (isTyped ? '' : value) : sample,
          placeholder: sample === '' ? 'empty' : defaultWords(variable),
          change,
          isInvalid: problem !== undefined,
          limit: (typed) => limitProblem(variable, typed),
        })}
      {problem === undefined ? null : (
        // The bar above announces it.
        <p class="p-problem">{sentenceOf(problem)}</p>
      )}
    </div>
  );
}

interface TryMenuProps {
  variable: Variable;
  /** Undefined for the default. */
  sample: Value | undefined;
  change: (next: Value | undefined) => void;
}

/** A menu of sample values for this variable. */
function TryMenu({ variable, sample, change }: TryMenuProps): VNode {
  const presets = valuePresets(variable);
  const active = presets.find(({ value }) => value === sample)?.id;
  const shown = sample === undefined ? 'default' : (active ?? 'own');
  const take = (event: Event): void => {
    const { value: id } = event.currentTarget as HTMLSelectElement;
    if (id !== 'own') change(presets.find((preset) => preset.id === id)?.value);
  };
  const option = (id: string, label: string): VNode => (
    <option value={id} selected={id === shown}>
      {label}
    </option>
  );
  return (
    <select
      class="p-try"
      aria-label={`Try a value for ${variable.name}`}
      value={shown}
      onChange={take}
    >
      {option('default', 'Default')} {shown === 'own' ? option('own', 'As written') : null}
      {presets.map(({ id, name }) => option(id, name))}
    </select>
  );
}
