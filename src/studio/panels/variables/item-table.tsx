/** The sample items of a list variable as a table: a row for each item, a column for each field. */
import type { TargetedEvent, VNode } from 'preact';
import { useId } from 'preact/hooks';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { ListField, ListVariable } from '#language/schema/template.ts';
import { icon } from '../../icons.tsx';
import type { Editor } from '../../state/editor.ts';
import { toolButton } from '../fields/structured.tsx';
import { valueControl } from './sample.tsx';
import { valueAs } from './variables.ts';

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

const { listItemsMax } = templateLimits;

/** Edits the items. Enter goes to the cell below. Pasted cells of a spreadsheet fill several cells. */
export function ItemTable(props: ListProps): VNode {
  const { name, fields, value: items } = props.variable;
  const change = changeList(props);
  return (
    <div class="p-items">
      <table
        aria-label={`Items of ${name}`}
        onKeyDown={goDown}
        onPaste={(event) => pasteCells(event, change)}
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
            <ItemRow key={at} {...props} at={at} change={change} />
          ))}
        </tbody>
      </table>
      {items.length >= listItemsMax ? null : (
        <button
          type="button"
          class="p-add"
          onClick={() => change('Add item', (list) => list.value.push(sampleItem(fields)))}
        >
          {icon('plus')} Item
        </button>
      )}
    </div>
  );
}

interface RowProps extends ListProps {
  /** Index of the item. */
  at: number;
  change: ChangeList;
}

function ItemRow({ editor, variable: { fields, value: items }, at, change }: RowProps): VNode {
  const id = useId();
  const number = at + 1;
  const swap = (list: ListVariable): void => {
    const [above, moved] = list.value.slice(at - 1, number);
    if (above !== undefined && moved !== undefined) list.value.splice(at - 1, 2, moved, above);
  };
  return (
    <tr>
      <th scope="row">{number}</th>
      {fields.map(({ name, type, value: standard }) => (
        <td key={name}>
          <label class="quiet" for={`${id}-${name}`}>
            Item {number}: {name}
          </label>
          {valueControl({
            editor,
            id: `${id}-${name}`,
            label: `Item ${number}: ${name}`,
            type,
            value: String(items[at]?.[name] ?? standard),
            placeholder: standard === '' ? 'empty' : standard,
            change: (text) =>
              change(
                'Change item',
                (list) => Object.assign(list.value[at] ?? {}, { [name]: text }),
                `item:${at}:${name}`,
              ),
          })}
        </td>
      ))}
      <td>
        <span class="p-items-tools">
          {at > 0
            ? toolButton('up', `Move item ${number} up`, () => change('Move item', swap))
            : null}
          {toolButton('trash', `Delete item ${number}`, () =>
            change('Delete item', (list) => list.value.splice(at, 1)),
          )}
        </span>
      </td>
    </tr>
  );
}

/** Goes to the cell below on Enter. Shift+Enter inserts a line break. */
function goDown(event: TargetedEvent<HTMLTableElement, KeyboardEvent>): void {
  const { target, key, shiftKey, isComposing } = event;
  if (key !== 'Enter' || shiftKey || isComposing || !(target instanceof HTMLTextAreaElement))
    return;
  event.preventDefault();
  const cell = target.closest('td');
  const below = cell?.closest('tr')?.nextElementSibling?.children[cell.cellIndex];
  below?.querySelector('textarea')?.select();
}

/** Pastes rows and columns of a spreadsheet from the focused cell on. Adds items, up to `listItemsMax`. */
function pasteCells(
  event: TargetedEvent<HTMLTableElement, ClipboardEvent>,
  change: ChangeList,
): void {
  const { target } = event;
  const text = (event.clipboardData?.getData('text/plain') ?? '').replace(/\r?\n$/, '');
  const cell = target instanceof HTMLTextAreaElement ? target.closest('td') : null;
  const row = cell?.closest('tr');
  if (!cell || !row || !/[\t\n]/.test(text)) return;
  event.preventDefault();
  const firstField = cell.cellIndex - 1;
  change('Paste cells', ({ fields, value: items }) => {
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

function sampleItem(fields: readonly ListField[]): ListVariable['value'][number] {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}
