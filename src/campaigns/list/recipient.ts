/** Whom a row is for: rows for the same recipient are duplicates. */
import { hash } from 'node:crypto';
import type { ListFacts } from '../campaign.ts';

/** Names of columns that hold the address of a recipient, without case, spaces and signs. */
const recipientNames = new Set([
  'email',
  'emailaddress',
  'mail',
  'mailaddress',
  'emailadresse',
  'correo',
  'correoelectronico',
  'courriel',
  'subscriberemail',
  'contactemail',
]);

/** The column of the recipients' addresses; undefined where no name or several say so. */
export function findRecipientColumn(columns: readonly string[]): string | undefined {
  const found = columns.filter((column) => recipientNames.has(plainName(column)));
  return found.length === 1 ? found[0] : undefined;
}

function plainName(column: string): string {
  return column
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** What names the recipient of a row: the address, in lower case, or all cells. */
export function recipientOf(
  { columns, recipientColumn }: Pick<ListFacts, 'columns' | 'recipientColumn'>,
  cells: readonly string[],
): string {
  const index = recipientColumn === undefined ? -1 : columns.indexOf(recipientColumn);
  const address = index === -1 ? '' : (cells[index] ?? '').trim().toLowerCase();
  return address === '' ? JSON.stringify(cells) : address;
}

/** 48 bits of the digest of a recipient, which a JavaScript number and an SQLite integer hold. */
export function recipientDigest(recipient: string): number {
  return Buffer.from(hash('sha256', recipient, 'hex'), 'hex').readUIntBE(0, 6);
}
