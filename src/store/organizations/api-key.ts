/** An API key: its scopes, its row as it is stored, and its summary as the API shows it. */
import type { EmbedClaims } from '#language/embed-token.ts';
import { StoreError } from '../database/store-error.ts';

/** `read` shows, previews and opens links, `render` renders and makes links, `write` changes. None includes another. */
export const keyScopes = ['read', 'render', 'write'] as const;

export type KeyScope = (typeof keyScopes)[number];

/** What an embed token restricts its holder to. */
export type EmbedRights = Pick<EmbedClaims, 'template' | 'publish'>;

/** A key as the API shows it, without the key itself. Timestamps are ISO 8601 UTC or null. */
export interface ApiKeySummary {
  id: number;
  name: string;
  /** Its first characters, at most a third of the key. */
  prefix: string;
  scopes: readonly KeyScope[];
  created_at: string;
  /** At most a minute late. */
  last_used_at: string | null;
  revoked_at: string | null;
}

/** The column's text for all scopes. */
export const allScopes = '*';

/** The row of a look-up by a key. */
export interface KeyRow {
  id: number;
  digest: Buffer;
  scopes: string;
  last_used_at: string | null;
  uid: string;
  name: string;
}

/** The columns of a summary, with scopes as they are stored. */
export type SummaryRow = Omit<ApiKeySummary, 'scopes'> & { scopes: string };

/** The columns of `SummaryRow`. */
export const summaryColumns = 'id, name, prefix, scopes, created_at, last_used_at, revoked_at';

/** Converts a row to a summary. */
export function toKeySummary(row: SummaryRow): ApiKeySummary {
  return { ...row, scopes: parseScopes(row.scopes) };
}

/** The column's text of scopes. Throws a `StoreError` `INVALID` for none. */
export function scopesText(scopes: readonly KeyScope[]): string {
  const known = keyScopes.filter((scope) => scopes.includes(scope));
  if (known.length === keyScopes.length) return allScopes;
  if (known.length > 0) return known.join(' ');
  throw new StoreError('INVALID', `An API key needs a scope: ${keyScopes.join(', ')}.`);
}

/** The scopes of a column's text; an unknown word is no scope. */
export function parseScopes(text: string): readonly KeyScope[] {
  const words = text.split(' ');
  return text === allScopes ? keyScopes : keyScopes.filter((scope) => words.includes(scope));
}
