/** The value that the preview shows for a variable: its default, a written value, or a likely value of a contact. */
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Variable, VariableType } from '#language/schema/template.ts';
import { parseTableSource } from '#language/values/table-source.ts';
import { isTaken } from './taken-values.ts';
import { defaultWords, linkText, valueAs } from './variables.ts';
import { valuePresets } from '../../samples/presets.ts';
import type { Editor } from '../../state/editor.ts';
import type { Values } from '../../state/frames.ts';
import { sentenceOf, valueProblem } from '../../wording.ts';
import { ColorField } from '../fields/color.tsx';
import { ImageField } from '../fields/image.tsx';
import { Toggle } from '../fields/simple.tsx';

interface VariableSampleProps {
  editor: Editor;
  variable: Variable;
}

type Value = Values[string];

/** Edits the sample value. A variable that comes from a table shows its source instead. */
export function VariableSample({ editor, variable }: VariableSampleProps): VNode {
  const { from } = variable;
  if (from !== undefined) {
    const { table, keyVariable, column } = parseTableSource(from);
    return (
      <p class="p-note">
        Comes from the column {column} of the table {table}, in the row of {keyVariable}.
      </p>
    );
  }
  return <TemplateSample editor={editor} variable={variable} />;
}

/** An emptied field tries the empty value. The menu restores the default. */
function TemplateSample({ editor, variable }: VariableSampleProps): VNode {
  const { name, type } = variable;
  const value = linkText(variable);
  const id = useId();
  const sample = editor.values.value[name];
  const change = (next: Value | undefined): void => {
    const { [name]: _, ...rest } = editor.values.value;
    editor.values.value = next === undefined ? rest : { ...rest, [name]: next };
  };
  const problem = valueProblem(editor.frameError.value, name);
  const isTyped = ['text', 'number', 'date', 'list'].includes(type);
  return (
    <div class="p-sample">
      <label class="p-note" for={id}>
        Preview with<span class="quiet"> as {name}</span>
      </label>
      <TryMenu variable={variable} sample={sample} change={change} />
      {valueControl({
        editor,
        id,
        label: `Sample value of ${name}`,
        type,
        value: sample === undefined ? (isTyped ? '' : value) : sample,
        placeholder: sample === '' ? 'empty' : defaultWords(variable),
        change,
        isInvalid: problem !== undefined,
        isWhole: (typed) => isTaken(variable, typed),
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

// The control for a value, by the type of the variable.

interface ValueControl {
  editor: Editor;
  id: string;
  label: string;
  type: VariableType;
  value: unknown;
  placeholder: string;
  change: (value: string) => void;
  isInvalid?: boolean;
  /** Whether a typed text of the right form is complete. */
  isWhole?: (typed: string) => boolean;
}

/** Returns the control for a variable's type. An emptied control changes the value to an empty text. */
export function valueControl(control: ValueControl): VNode {
  const { type, change, ...field } = control;
  const { id, value } = field;
  switch (type) {
    case 'color':
      return <ColorField {...field} change={(color: string | undefined) => change(color ?? '')} />;
    case 'image':
      return <ImageField {...field} isInvalid={field.isInvalid === true} change={change} />;
    case 'boolean':
      return (
        <Toggle
          id={id}
          isOn={value === true || value === 'true'}
          change={(isOn) => change(String(isOn))}
        />
      );
    default:
      return <TypedField {...control} key={id} />;
  }
}

/** Edits a value as text. A complete value applies at once, a partial value when the field is left. */
function TypedField(control: ValueControl): VNode {
  const { id, type, value, placeholder, change, isInvalid, isWhole = () => true } = control;
  const [part, setPart] = useState<string | undefined>(undefined);
  const isLine = type === 'number' || type === 'date';
  const take = (typed: string): void => {
    const isReady = typed === '' || (valueAs(type, typed) === typed && isWhole(typed));
    setPart(isReady ? undefined : typed);
    if (isReady) change(typed);
  };
  const leave = (): void => {
    setPart(undefined);
    if (part !== undefined) change(part);
  };
  const text = part ?? String(value);
  return (
    <textarea
      id={id}
      dir="auto"
      rows={isLine ? 1 : Math.min(6, text.split('\n').length)}
      value={text}
      placeholder={placeholder}
      aria-invalid={isInvalid}
      onInput={(event) => take(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !isLine) return;
        event.preventDefault();
        leave();
      }}
    />
  );
}
