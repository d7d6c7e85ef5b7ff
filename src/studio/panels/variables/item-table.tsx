/** The items of a list as a table: a row for each item, a column for each field. */
import type { TargetedEvent, VNode } from 'preact';
import { useId } from 'preact/hooks';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { ListField, ListVariable } from '#language/schema/template.ts';
import { icon } from '../../icons.tsx';
import type { Editor } from '../../state/editor.ts';
import { toolButton } from '../fields/structured.tsx';
import { valueControl } from './value-control.tsx';
import { valueAs } from './variables.ts';

type Item = ListVariable['value'][number];

/** Changes the items in place. */
type ChangeItems = (label: string, recipe: (items: Item[]) => void, gesture?: string) => void;

interface ItemTableProps extends Pick<ListVariable, 'name' | 'fields'> {
  editor: Editor;
  items: readonly Item[];
  /** The number of items that stay. */
  itemsMin?: number;
  change: ChangeItems;
}

const { listItemsMax } = templateLimits;

/** Edits the items. Enter goes to the cell below. Pasted cells of a spreadsheet fill several cells. */
function ItemTable(props: ItemTableProps): VNode {
  const { name, fields, items, change } = props;
  return (
    <div class="p-items">
      <table
        aria-label={`Items of ${name}`}
        onKeyDown={goDown}
        onPaste={(event) => pasteCells(event, props)}
      >
        <thead>
          <tr>
            <td />
            {fields.map((field) => (
              <th key={field.name} scope="col" data-type={field.type}>
                {field.name}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {items.map((_, at) => (
            <ItemRow key={at} {...props} at={at} />
          ))}
        </tbody>
      </table>
      {items.length >= listItemsMax ? null : (
        <button
          type="button"
          class="p-add"
          onClick={() => change('Add item', (list) => list.push(sampleItem(fields)))}
        >
          {icon('plus')} Item
        </button>
      )}
    </div>
  );
}

/** `at` is the index of the item. */
function ItemRow(props: ItemTableProps & { at: number }): VNode {
  const { editor, fields, items, at, change } = props;
  const id = useId();
  return (
    <tr>
      <th scope="row">{at + 1}</th>
      {fields.map((field) => {
        const { name, value: standard } = field;
        const label = `Item ${at + 1}: ${name}`;
        return (
          <td key={name} data-type={field.type}>
            <label class="quiet" for={`${id}-${name}`}>
              <span>Item {at + 1}: </span>
              {name}
            </label>
            {valueControl({
              editor,
              id: `${id}-${name}`,
              label,
              variable: field,
              value: String(items[at]?.[name] ?? standard),
              placeholder: standard === '' ? 'empty' : standard,
              change: (text) =>
                change(
                  'Change item',
                  (list) => Object.assign(list[at] ?? {}, { [name]: text }),
                  `item:${at}:${name}`,
                ),
            })}
          </td>
        );
      })}
      <td>
        <ItemTools {...props} />
      </td>
    </tr>
  );
}

function ItemTools({ items, itemsMin = 0, at, change }: ItemTableProps & { at: number }): VNode {
  const number = at + 1;
  /** Swaps the item at an index with the next one. */
  const swap = (first: number) => (): void =>
    change('Move item', (list) => {
      const [above, below] = list.slice(first, first + 2);
      if (above !== undefined && below !== undefined) list.splice(first, 2, below, above);
    });
  return (
    <span class="p-items-tools">
      {at > 0 ? toolButton('up', `Move item ${number} up`, swap(at - 1)) : null}
      {number < items.length ? toolButton('down', `Move item ${number} down`, swap(at)) : null}
      {items.length > itemsMin
        ? toolButton('trash', `Delete item ${number}`, () =>
            change('Delete item', (list) => list.splice(at, 1)),
          )
        : null}
    </span>
  );
}

// The tables of the items of a variable in the document, and of a value for it.

export interface ListProps {
  editor: Editor;
  variable: ListVariable;
  /** Index of the variable in the document. */
  index: number;
}

export type ChangeList = (
  label: string,
  recipe: (list: ListVariable) => void,
  gesture?: string,
) => void;

/** Changes a list variable of the document, for all sizes. */
export function changeList({ editor, index }: Pick<ListProps, 'editor' | 'index'>): ChangeList {
  return (label, recipe, gesture) =>
    editor.changeWhole(
      label,
      (draft) => {
        const list = draft.variables[index];
        if (list?.type === 'list') recipe(list);
      },
      gesture,
    );
}

/** Edits the sample items of a variable in the document. */
export function SampleItems(props: ListProps): VNode {
  const { editor, variable } = props;
  const change = changeList(props);
  return (
    <ItemTable
      editor={editor}
      name={variable.name}
      fields={variable.fields}
      items={variable.value}
      change={(label, recipe, gesture) => change(label, (list) => recipe(list.value), gesture)}
    />
  );
}

export interface ValueItemsProps {
  editor: Editor;
  variable: ListVariable;
  /** The items as JSON; the default's for another text. */
  value: unknown;
  change: (value: string) => void;
}

/** Edits the items of a value. One item stays if a list without items shows the default. */
export function ValueItems({ editor, variable, value, change }: ValueItemsProps): VNode {
  const items = itemsOf(value) ?? variable.value;
  return (
    <ItemTable
      editor={editor}
      name={variable.name}
      fields={variable.fields}
      items={items}
      itemsMin={variable.whenEmpty === 'empty' ? 0 : 1}
      change={(_, recipe) => {
        const next = structuredClone(items);
        recipe(next);
        change(JSON.stringify(next));
      }}
    />
  );
}

function itemsOf(value: unknown): Item[] | undefined {
  try {
    const items: unknown = JSON.parse(String(value));
    const isList =
      Array.isArray(items) && items.every((item) => typeof item === 'object' && item !== null);
    return isList ? (items as Item[]) : undefined;
  } catch {
    return undefined;
  }
}

// Keys and pasted cells.

/** The fields of a table in which Enter goes down and cells are pasted. */
const cellFields = 'textarea, input:is([type="number"], [type^="date"])';

/** Goes to the cell below on Enter. Shift+Enter inserts a line break. */
function goDown(event: TargetedEvent<HTMLTableElement, KeyboardEvent>): void {
  const { key, shiftKey, isComposing } = event;
  const cell = cellOf(event);
  if (key !== 'Enter' || shiftKey || isComposing || cell === null) return;
  event.preventDefault();
  const below = cell.closest('tr')?.nextElementSibling?.children[cell.cellIndex];
  const field = below?.querySelector<HTMLInputElement | HTMLTextAreaElement>(cellFields);
  field?.focus();
  field?.select();
}

/** Returns the cell of a field that is typed into; null for other targets. */
function cellOf({ target }: Event): HTMLTableCellElement | null {
  return target instanceof Element && target.matches(cellFields) ? target.closest('td') : null;
}

/** Pastes rows and columns of a spreadsheet from the focused cell on. Adds items, up to `listItemsMax`. */
function pasteCells(
  event: TargetedEvent<HTMLTableElement, ClipboardEvent>,
  { fields, change }: ItemTableProps,
): void {
  const text = (event.clipboardData?.getData('text/plain') ?? '').replace(/\r?\n$/, '');
  const cell = cellOf(event);
  const row = cell?.closest('tr');
  if (!cell || !row || !/[\t\n]/.test(text)) return;
  event.preventDefault();
  const firstField = cell.cellIndex - 1;
  change('Paste cells', (items) => {
    for (const [down, line] of text.split(/\r?\n/).entries()) {
      const at = row.sectionRowIndex + down;
      if (at >= listItemsMax) return;
      const item = (items[at] ??= sampleItem(fields));
      for (const [across, value] of line.split('\t').entries()) {
        const field = fields[firstField + across];
        if (field !== undefined) item[field.name] = valueAs(field.type, value);
      }
    }
  });
}

function sampleItem(fields: readonly ListField[]): Item {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}
