/** An API key: its scopes, its stored row, and its summary for the API. */
import type { EmbedClaims } from '#language/embed-token.ts';
import { StoreError } from '../database/store-error.ts';

/**
 * `read` shows, previews and opens links; `render` renders and makes links; `write` changes; `access` changes who may
 * open links. `write` includes `access`, as before it had a scope of its own; no other scope includes another.
 */
export const keyScopes = ['read', 'render', 'write', 'access'] as const;

export type KeyScope = (typeof keyScopes)[number];

/** The rights to which an embed token restricts its holder. */
export type EmbedRights = Pick<EmbedClaims, 'template' | 'publish'>;

/** The summary of a key for the API, without the key itself. Timestamps are ISO 8601 UTC or null. */
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

/** The text for all scopes in the column `scopes`. */
export const allScopes = '*';

/** The row that a lookup by key reads. */
export interface KeyRow {
  id: number;
  digest: Buffer;
  scopes: string;
  last_used_at: string | null;
  uid: string;
  name: string;
}

/** The row of a summary, with the text of the column `scopes`. */
export type SummaryRow = Omit<ApiKeySummary, 'scopes'> & { scopes: string };

/** The columns of `SummaryRow`. */
export const summaryColumns = 'id, name, prefix, scopes, created_at, last_used_at, revoked_at';

export function toKeySummary(row: SummaryRow): ApiKeySummary {
  return { ...row, scopes: parseScopes(row.scopes) };
}

/** The text of these scopes for the column `scopes`. Throws a `StoreError` `INVALID` if there are none. */
export function scopesText(scopes: readonly KeyScope[]): string {
  const known = keyScopes.filter((scope) => scopes.includes(scope));
  if (known.length === keyScopes.length) return allScopes;
  if (known.length > 0) return known.join(' ');
  throw new StoreError('INVALID', `An API key needs a scope: ${keyScopes.join(', ')}.`);
}

/** The scopes of a holder: those of its key, and those that they include. */
export function heldScopes(text: string): readonly KeyScope[] {
  const scopes = parseScopes(text);
  return scopes.includes('write')
    ? keyScopes.filter((scope) => scope === 'access' || scopes.includes(scope))
    : scopes;
}

/** The scopes in the text of the column `scopes`. Ignores unknown words. */
export function parseScopes(text: string): readonly KeyScope[] {
  const words = text.split(' ');
  return text === allScopes ? keyScopes : keyScopes.filter((scope) => words.includes(scope));
}
