/** Properties with parts: objects, lists, and fixed lists of numbers. */
import type { ComponentChildren, VNode } from 'preact';
import { icon } from '../../icons.tsx';
import { entryLabel } from './labels.ts';
import { initialValue } from './values.ts';
import type { Path } from './values.ts';
import type { Field, FieldKind } from './schema-fields.ts';
import { mixed } from '../target.ts';
import type { Target } from '../target.ts';

/** Options of a row. */
export interface RowOptions {
  /** Whether writing the value creates the object that contains it. */
  makes?: boolean;
  /** Half width, beside another row. */
  isHalf?: boolean;
  /** Without a heading, because the section has the same heading. */
  isFlat?: boolean;
  /** Whether names of variables are typed in the field, and no button binds it. */
  isTyped?: boolean;
}

export interface StructuredProps {
  target: Target;
  field: Field;
  path: Path;
  id: string;
  change: (value: unknown, gesture?: string) => void;
  /** Shows a property inside. */
  row: (field: Field, path: Path, options?: RowOptions) => VNode;
}

/** Kinds whose controls render a heading. */
export const structuredKinds = new Set<FieldKind['type']>([
  'object',
  'variant',
  'list',
  'tuple',
  'record',
  'repeat',
]);

type KindOf<Name extends FieldKind['type']> = Extract<FieldKind, { type: Name }>;

/** The heading of a part, with its tools. */
export function head(field: Field, tools: ComponentChildren): VNode {
  return (
    <div class="p-head">
      <span class="p-head-label" title={field.hint}>
        {field.label}
      </span>
      {tools}
    </div>
  );
}

/** A small button with an icon. */
export function toolButton(name: string, label: string, run: () => void): VNode {
  return (
    <button type="button" class="p-tool" aria-label={label} title={label} onClick={run}>
      {icon(name)}
    </button>
  );
}

/** Optional properties up to which all are shown. Of more, only set ones are shown, with a list to add others. */
const shownMax = 4;

/** Edits an object. Without required properties its fields are always shown; otherwise it is added as a whole. */
export function ObjectField(
  props: StructuredProps & { kind: KindOf<'object'>; isFlat: boolean },
): VNode {
  const { target, field, path, kind, change, row, isFlat } = props;
  const value = target.read(path);
  const what = field.label.toLowerCase();
  const isFree = kind.fields.every(({ isRequired }) => !isRequired);
  if (isFree && isFlat) {
    return <>{kind.fields.map((each) => row(each, [...path, each.name], { makes: true }))}</>;
  }
  if (isFree) {
    const isSet = value !== undefined;
    return (
      <details class="p-free" open={isSet || kind.fields.length <= shownMax}>
        <summary title={field.hint}>
          {field.label}
          {isSet ? <i class="p-dot" /> : null}
        </summary>
        {kind.fields.map((each) => row(each, [...path, each.name], { makes: true }))}
      </details>
    );
  }
  if (value === undefined || (value === mixed && !isEverywhere(target, path, kind))) {
    const isSome = value === mixed;
    const begin = (): void => change(isSome ? firstObject(target, path) : initialValue(field));
    const label = isSome ? `Add ${what} to all` : `Add ${what}`;
    return head(
      field,
      <>
        {isSome ? <em>on some</em> : null}
        {toolButton('plus', label, begin)}
      </>,
    );
  }
  const remove = toolButton('minus', `Remove ${what}`, () => change(undefined));
  return (
    <>
      {head(field, field.isRequired ? null : remove)}
      <div class="p-inside">{objectRows(target, kind.fields, path, row)}</div>
    </>
  );
}

function isEverywhere(target: Target, path: Path, { fields }: KindOf<'object'>): boolean {
  const required = fields.find(({ isRequired }) => isRequired);
  return (
    required !== undefined && target.ids.every((id) => target.one(id).read(path) !== undefined)
  );
}

function firstObject(target: Target, path: Path): unknown {
  return target.ids.map((id) => target.one(id).read(path)).find((value) => value !== undefined);
}

/** Rows of the required and the set properties of an object, and a list to add others. */
function objectRows(
  target: Target,
  fields: readonly Field[],
  path: Path,
  row: StructuredProps['row'],
): VNode {
  const isSet = ({ name }: Field): boolean => target.read([...path, name]) !== undefined;
  const optional = fields.filter(({ isRequired }) => !isRequired);
  const isShort = optional.length <= shownMax;
  const shown = fields.filter((each) => each.isRequired || isShort || isSet(each));
  const more = fields.filter((each) => !shown.includes(each));
  const add = (event: Event): void => {
    const select = event.currentTarget as HTMLSelectElement;
    const field = more.find(({ name }) => name === select.value);
    select.value = '';
    if (field === undefined) return;
    // `write` would remove a value that equals the default.
    target.write({ ...field, standard: undefined }, [...path, field.name], initialValue(field));
  };
  return (
    <>
      {shown.map((each) => row(each, [...path, each.name]))}
      {more.length === 0 ? null : (
        <select class="p-more" aria-label="Add a property" value="" onChange={add}>
          <option value="">Add…</option>
          {more.map(({ name, label }) => (
            <option value={name}>{label}</option>
          ))}
        </select>
      )}
    </>
  );
}

/** Edits a list of objects or plain values. A single item is stored without a list if the schema allows that. */
export function ListField(props: StructuredProps & { kind: KindOf<'list'> }): VNode {
  const { target, field, path, kind, change, row } = props;
  const value = target.read(path);
  const what = field.label.toLowerCase();
  const entry = entryLabel(field.label);
  const one = entry.toLowerCase();
  if (value === mixed) {
    const clear = toolButton('minus', `Remove ${what} from all`, () => change(undefined));
    const share = toolButton('plus', `Use the first ${what} for all`, () =>
      change(firstObject(target, path)),
    );
    return head(
      field,
      <>
        <em>mixed</em>
        {share}
        {clear}
      </>,
    );
  }
  const isLone = kind.isSingle && value !== undefined && !Array.isArray(value);
  const items = Array.isArray(value) ? (value as unknown[]) : isLone ? [value] : [];
  const write = (next: readonly unknown[]): void => {
    if (next.length === 0) change(undefined);
    else change(kind.isSingle && next.length === 1 ? next[0] : next);
  };
  const named: Field = { ...kind.item, name: field.name };
  const add = (): void => write([...items, initialValue(named, target.editor.document.value)]);
  const isFull = items.length >= kind.most;
  const remove = (index: number): void => write(items.toSpliced(index, 1));
  const tools = (
    <>
      {isFull ? null : toolButton('plus', `Add ${one}`, add)}
      {items.length === 1 ? toolButton('minus', `Remove ${one}`, () => remove(0)) : null}
    </>
  );
  return (
    <>
      {head(field, tools)}
      {items.map((_, index) => {
        const itemPath = isLone ? path : [...path, index];
        const position = `${one} ${items.length > 1 ? String(index + 1) : ''}`.trim();
        const up = (): void => write(swapped(items, index));
        const inner = kind.item.kind;
        return (
          <div class="p-item" key={index}>
            {items.length === 1 ? null : (
              <div class="p-item-tools">
                <span class="p-note">{index + 1}</span>
                {index > 0 ? toolButton('up', `Move ${position} up`, up) : null}
                {toolButton('minus', `Remove ${position}`, () => remove(index))}
              </div>
            )}
            {inner.type === 'object'
              ? objectRows(target, inner.fields, itemPath, row)
              : row({ ...kind.item, label: `${entry} ${index + 1}` }, itemPath)}
          </div>
        );
      })}
    </>
  );
}

function swapped(items: readonly unknown[], index: number): unknown[] {
  return items.toSpliced(index - 1, 2, items[index], items[index - 1]);
}

/** Labels of the numbers of a tuple, by property. */
const tupleLabels: Readonly<Record<string, readonly string[]>> = {
  cornerRadius: ['Top left', 'Top right', 'Bottom right', 'Bottom left'],
  padding: ['Top', 'Right', 'Bottom', 'Left'],
  viewBox: ['Left', 'Top', 'Width', 'Height'],
};

/** Edits a tuple of numbers. If one number may apply to all parts, one is shown until the user splits it. */
export function TupleField(props: StructuredProps & { kind: KindOf<'tuple'> }): VNode {
  const { target, field, path, kind, change, row } = props;
  const value = target.read(path);
  const what = field.label.toLowerCase();
  const labels = tupleLabels[field.name] ?? [];
  const isParted = Array.isArray(value);
  if (kind.isSingle && !isParted) {
    const [first] = kind.items;
    const part = (): void => change(kind.items.map(() => (typeof value === 'number' ? value : 0)));
    const single: Field = { ...field, kind: first?.kind ?? { type: 'json' } };
    return (
      <div class="p-with-tool">
        {row(single, path)}
        {toolButton('corners', `Set each part of ${what}`, part)}
      </div>
    );
  }
  if (!isParted) {
    return head(
      field,
      toolButton('plus', `Add ${what}`, () => change(initialValue(field))),
    );
  }
  const join = (): void => change(kind.isSingle ? (value as unknown[])[0] : undefined);
  const close = field.isRequired
    ? null
    : toolButton(
        kind.isSingle ? 'corners' : 'minus',
        kind.isSingle ? `One for all` : `Remove ${what}`,
        join,
      );
  return (
    <>
      {head(field, close)}
      <div class="p-inside p-tuple">
        {kind.items.map((item, index) =>
          row({ ...item, label: labels[index] ?? String(index + 1) }, [...path, index]),
        )}
      </div>
    </>
  );
}
