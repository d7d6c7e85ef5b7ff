/** The keys of a table of items, and cells that are pasted from a spreadsheet. */
import type { TargetedEvent } from 'preact';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { ListField, ListVariable } from '#language/schema/template.ts';
import type { Editor } from '../../state/editor.ts';
import { notify } from '../../wording.ts';
import { readValue } from '../values/read-value.ts';

export type Item = ListVariable['value'][number];

/** Changes the items in place. */
export type ChangeItems = (
  label: string,
  recipe: (items: Item[]) => void,
  gesture?: string,
) => void;

interface Cells {
  editor: Editor;
  fields: readonly ListField[];
  change: ChangeItems;
}

const { listItemsMax } = templateLimits;

/** The fields of a table in which Enter goes down and cells are pasted. */
const cellFields = 'textarea, input:is([inputmode="decimal"], [type="date"], [type="time"])';

/** Goes to the cell below on Enter. Shift+Enter inserts a line break. */
export function goDown(event: TargetedEvent<HTMLTableElement, KeyboardEvent>): void {
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
export function pasteCells(
  event: TargetedEvent<HTMLTableElement, ClipboardEvent>,
  { editor, fields, change }: Cells,
): void {
  const text = (event.clipboardData?.getData('text/plain') ?? '').replace(/\r?\n$/, '');
  const cell = cellOf(event);
  const row = cell?.closest('tr');
  if (!cell || !row || !/[\t\n]/.test(text)) return;
  event.preventDefault();
  const { lang } = editor.document.value;
  const firstField = cell.cellIndex - 1;
  let unread = 0;
  change('Paste cells', (items) => {
    for (const [down, line] of text.split(/\r?\n/).entries()) {
      const at = row.sectionRowIndex + down;
      if (at >= listItemsMax) return;
      const item = (items[at] ??= sampleItem(fields));
      for (const [across, written] of line.split('\t').entries()) {
        const field = fields[firstField + across];
        if (field === undefined) continue;
        const value = readValue(field.type, written, lang);
        if (value === undefined) unread += 1;
        item[field.name] = value ?? written;
      }
    }
  });
  if (unread === 0) return;
  const cells = unread === 1 ? '1 cell' : `${unread} cells`;
  notify(
    `${cells} could not be read. Images show the default there until you correct what is marked.`,
  );
}

export function sampleItem(fields: readonly ListField[]): Item {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}

/**
 * Moves the focus from a button that disappears with its item: to the same button of the item before, or to the button
 * that adds an item.
 */
export function focusBefore(at: number, itemsMin: number): void {
  const table = document.activeElement?.closest('.p-items');
  const before = at > itemsMin ? `tbody tr:nth-child(${at}) .p-items-tools > :last-child` : '';
  table?.querySelector<HTMLButtonElement>(before || '.p-add')?.focus();
}
