/** Bounds of the answers that stream the rows of a list. */
import { OrganizationSlots } from '../../../foundation/organization-slots.ts';
import type { SlotLimits } from '../../../foundation/organization-slots.ts';

/** Rows whose problems are read at a time. A stalled client keeps them in memory. */
export const rowsOfRead = 50;

/** Cache of one open list in KiB. It is small, because rows are read once and in order. */
export const cacheKib = 128;

/** Size from which a chunk is sent. A row has up to 800 KB, and renders continue between two chunks. */
export const chunkBytes = 64 * 1024;

/** A stalled client holds an open list and one chunk, which can exceed 800 KB. */
export const rowsLimits: SlotLimits = {
  what: 'lists of rows are being sent',
  organizationMax: 4,
  countMax: 16,
  reason: 'rows',
};

export const rowSlots = new OrganizationSlots(rowsLimits);
