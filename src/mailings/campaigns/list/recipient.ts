/** The recipient of a row: rows for the same recipient are duplicates. */
import { hash } from 'node:crypto';
import type { ListFacts } from '../campaign.ts';

/** Names of columns with the address of a recipient, in lower case, without spaces and signs. */
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

/** Finds the column of the recipients' addresses; undefined if no name, or more than one, indicates it. */
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

/** The identity of a row's recipient: the address in lower case, or all cells without an address. */
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
