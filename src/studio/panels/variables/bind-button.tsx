/** The button that makes a property dynamic, and the control of a property that is bound to a variable. */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { Variable } from '#language/schema/template.ts';
import { valueFormats } from '#language/values/value-formats.ts';
import { behindFrame } from '../behind-frame.ts';
import type { Editor } from '../../state/editor.ts';
import { variablesOf } from '../../state/list-items.ts';
import { icon } from '../../icons.tsx';
import { isAppleKeyboard, keyLabels } from '../../wording.ts';
import { setAt } from '../fields/values.ts';
import type { Path } from '../fields/values.ts';
import type { Field } from '../fields/schema-fields.ts';
import { bindKeys } from '../row-keys.ts';
import { bindProperty, objectsOf, unbindProperty } from '../target.ts';
import type { Target } from '../target.ts';
import { addVariable, boundNames, linkText, splitBinding, variableTypeOf } from './variables.ts';

export interface BindProps {
  id: string;
  target: Target;
  field: Field;
  path: Path;
  /** The binding of the property without its brackets; undefined if the property is not bound. */
  name: string | undefined;
}

/**
 * Makes a property dynamic, or static again. In a text with a selection or with bindings, only the selected words become
 * a variable.
 */
export function toggleBinding({ id, target, field, path, name }: BindProps): void {
  if (name !== undefined) unbindProperty(target, field, path);
  else if (!bindSelection(id, target, field, path)) bindProperty(target, field, path);
}

interface ButtonProps {
  field: Field;
  isBound: boolean;
  press: () => void;
}

/** The button `{x}`. Tab passes over it until the property is bound: `bindKeys` press it in the field. */
export function BindButton({ field, isBound, press }: ButtonProps): VNode {
  const what = field.label.toLowerCase();
  // An image is never typed with braces, so its button has words.
  const words = !isBound && field.kind.type === 'image' ? 'Different for each reader' : '';
  const label = isBound ? `Make ${what} fixed again` : `Make ${what} dynamic`;
  const keys = keyLabels(bindKeys, isAppleKeyboard()).join(' ');
  return (
    <button
      type="button"
      class={words === '' ? 'p-bind' : 'p-bind p-named'}
      tabIndex={isBound || words !== '' ? 0 : -1}
      aria-pressed={isBound}
      aria-label={words === '' ? label : `${words}: ${label.toLowerCase()}`}
      aria-keyshortcuts={bindKeys}
      title={isBound ? label : `${label}: a link may then set it (${keys})`}
      onPointerDown={(event) => event.preventDefault()}
      onClick={press}
    >
      {icon('variable')} {words === '' ? null : words}
    </button>
  );
}

/** Makes the selected part of a text a variable. Returns false if the whole text should become one. */
function bindSelection(id: string, target: Target, field: Field, path: Path): boolean {
  const text = target.read(path);
  const input = document.getElementById(id);
  const isText = field.kind.type === 'text';
  if (!isText || typeof text !== 'string' || !isTextInput(input)) return false;
  const [start, end] = [input.selectionStart ?? 0, input.selectionEnd ?? 0];
  const selected = document.activeElement === input ? text.slice(start, end) : '';
  const isPart = selected !== '' && selected !== text && !selected.includes('{{');
  if (!isPart && boundNames(text).length === 0) return false;
  const [from, to] = isPart ? [start, end] : [end, end];
  bindPart(target, path, { text, from, to, value: isPart ? selected : 'text' });
  return true;
}

interface Part {
  text: string;
  from: number;
  to: number;
  value: string;
}

/** Replaces a part of a text by a new variable, in one undo step. */
function bindPart({ editor, ids }: Target, path: Path, { text, from, to, value }: Part): void {
  editor.change('Make the selection dynamic', (draft) => {
    const name = addVariable(draft, value, 'text', value);
    const bound = `${text.slice(0, from)}{{${name}}}${text.slice(to)}`;
    for (const object of objectsOf(draft, ids)) setAt(object, path, bound);
  });
}

function isTextInput(element: HTMLElement | null): element is HTMLInputElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

/** The control of a bound property: its variable, a choice of others that fit, the format and the sample value. */
export function BoundControl({ id, name, field, target, path }: BindProps): VNode {
  const { editor } = target;
  const type = variableTypeOf(field.kind);
  const variables = variablesOf(behindFrame(editor).document.value, target.ids);
  // A text property takes variables of any type. A text variable fits any property except an image.
  const others = variables.filter(
    (each) =>
      each.type !== 'list' &&
      (type === 'text' || each.type === type || (each.type === 'text' && type !== 'image')),
  );
  const { name: boundName, formats } = splitBinding(name ?? '');
  const isKnown = others.some((each) => each.name === boundName);
  return (
    <span class="p-bound">
      <select
        id={id}
        value={boundName}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          target.write(field, path, `{{${[chosen, formats].join(' ').trim()}}}`);
        }}
      >
        {isKnown ? null : <option value={boundName} selected>{`{{${boundName}}}`}</option>}
        {others.map((each) => (
          <option value={each.name} selected={each.name === boundName}>{`{{${each.name}}}`}</option>
        ))}
      </select>
      {type === 'image' ? null : (
        <FormatField
          source={name ?? ''}
          label={field.label}
          change={(source) => target.write(field, path, `{{${source}}}`)}
        />
      )}
      {type === 'image' ? null : (
        <span class="p-bound-value">{sampleOf(editor, boundName, others)}</span>
      )}
    </span>
  );
}

interface FormatFieldProps {
  /** The binding without its brackets. */
  source: string;
  /** Label of the property. */
  label: string;
  change: (source: string) => void;
}

/** Edits the formats of a binding, with a list of the known formats. */
function FormatField({ source, label, change }: FormatFieldProps): VNode {
  const id = useId();
  const { name, formats } = splitBinding(source);
  const written = formats.replace(/^\|\s*/, '');
  return (
    <>
      <input
        type="text"
        class="p-format"
        list={id}
        aria-label={`Format of ${label.toLowerCase()}`}
        placeholder="format"
        spellcheck={false}
        value={written}
        onChange={(event) => {
          const next = event.currentTarget.value.trim().replace(/^\|\s*/, '');
          change(next === '' ? name : `${name} | ${next}`);
        }}
      />
      <datalist id={id}>
        {Object.entries(valueFormats).map(([format, { sample, meaning }]) => (
          <option value={sample === '' ? format : `${format}:${sample}`}>{meaning}</option>
        ))}
      </datalist>
    </>
  );
}

/** Returns a variable's value in the preview as text, or `empty`. */
function sampleOf(editor: Editor, name: string, variables: readonly Variable[]): string {
  const variable = variables.find((each) => each.name === name);
  const value = editor.values.value[name] ?? (variable === undefined ? '' : linkText(variable));
  return String(value) === '' ? 'empty' : String(value);
}
