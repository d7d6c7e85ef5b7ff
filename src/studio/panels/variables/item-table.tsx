/** The items of a list as a table: a row for each item, a column for each field. */
import type { VNode } from 'preact';
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { ListField, ListVariable } from '#language/schema/template.ts';
import { icon } from '../../icons.tsx';
import { behindFrame } from '../behind-frame.ts';
import type { Editor } from '../../state/editor.ts';
import { toolButton } from '../fields/structured.tsx';
import { readValue, unreadWords } from '../values/read-value.ts';
import { problemNote } from '../values/typed-text.tsx';
import { focusBefore, goDown, pasteCells, sampleItem } from './table-keys.ts';
import type { ChangeItems, Item } from './table-keys.ts';
import { valueControl } from './value-control.tsx';

interface ItemTableProps extends Pick<ListVariable, 'name' | 'fields'> {
  editor: Editor;
  items: readonly Item[];
  /** Names the value that has the items, among those of the editor. */
  value: string;
  /** The number of items that stay. */
  itemsMin?: number;
  change: ChangeItems;
}

const { listItemsMax } = templateLimits;

/**
 * Edits the items. Enter goes to the cell below. Pasted cells of a spreadsheet fill several cells. Cells that cannot be
 * read stay as they are written, with their reason, also after the table is closed. Until they are corrected, their
 * items lack the field.
 */
function ItemTable(given: ItemTableProps): VNode {
  const { editor, name, fields } = given;
  const { lang } = behindFrame(editor).document.value;
  const kept = writtenItems(editor, given.value);
  const written = kept.value;
  const items = written?.of === JSON.stringify(given.items) ? written.items : given.items;
  const change: ChangeItems = (label, recipe, gesture) => {
    const next = structuredClone(items) as Item[];
    recipe(next);
    const readable = next.map((item) => {
      const cells = Object.entries(item).filter(([key, value]) => {
        const type = fields.find((field) => field.name === key)?.type ?? 'text';
        return readValue(type, String(value), lang) !== undefined;
      });
      return Object.fromEntries(cells);
    });
    const of = JSON.stringify(readable);
    kept.value = of === JSON.stringify(next) ? undefined : { items: next, of };
    given.change(label, (list) => list.splice(0, list.length, ...readable), gesture);
  };
  const props: ItemTableProps = { ...given, items, change };
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

/** Items as they are written, and the JSON of their readable cells. Other items replace them. */
interface WrittenItems {
  items: readonly Item[];
  of: string;
}

const writtenByEditor = new WeakMap<Editor, Map<string, Signal<WrittenItems | undefined>>>();

/** Returns the written items of a value that has cells that cannot be read. */
function writtenItems(editor: Editor, value: string): Signal<WrittenItems | undefined> {
  const ofEditor =
    writtenByEditor.get(editor) ?? new Map<string, Signal<WrittenItems | undefined>>();
  writtenByEditor.set(editor, ofEditor);
  const written = ofEditor.get(value) ?? signal<WrittenItems | undefined>(undefined);
  ofEditor.set(value, written);
  return written;
}

/** `at` is the index of the item. */
function ItemRow(props: ItemTableProps & { at: number }): VNode {
  const { fields, at } = props;
  const id = useId();
  return (
    <tr>
      <th scope="row">{at + 1}</th>
      {fields.map((field) => (
        <ItemCell key={field.name} {...props} id={`${id}-${field.name}`} field={field} />
      ))}
      <td>
        <ItemTools {...props} />
      </td>
    </tr>
  );
}

type ItemCellProps = ItemTableProps & { at: number; id: string; field: ListField };

function ItemCell({ editor, items, at, id, field, change }: ItemCellProps): VNode {
  const { name, type, value: standard } = field;
  const value = String(items[at]?.[name] ?? standard);
  // The fields of numbers and dates show their problems.
  const isUnread =
    (type === 'color' || type === 'boolean') && readValue(type, value, undefined) === undefined;
  return (
    <td data-type={type}>
      <label class="quiet" for={id}>
        <span>Item {at + 1}: </span>
        {name}
      </label>
      {valueControl({
        editor,
        id,
        label: `Item ${at + 1}: ${name}`,
        timeLabel: `Item ${at + 1}: time of ${name}`,
        variable: field,
        value,
        placeholder: standard === '' ? 'empty' : standard,
        isInvalid: isUnread,
        change: (text) =>
          change(
            'Change item',
            (list) => Object.assign(list[at] ?? {}, { [name]: text }),
            `item:${at}:${name}`,
          ),
      })}
      {problemNote(id, isUnread ? `“${value}”: ${unreadWords(type, value)}` : undefined)}
    </td>
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
        ? toolButton('trash', `Delete item ${number}`, () => {
            if (at === items.length - 1 || items.length - 1 === itemsMin) focusBefore(at, itemsMin);
            change('Delete item', (list) => list.splice(at, 1));
          })
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
      value={`default ${variable.name}`}
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
      value={`value ${variable.name}`}
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
