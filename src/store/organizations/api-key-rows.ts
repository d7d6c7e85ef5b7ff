/** Rows of the table of API keys, as they are stored and as they may be shown. */
import { keyScopes } from './key-scopes.ts';
import type { KeyScope } from './key-scopes.ts';
import { StoreError } from '../database/store-error.ts';

/** A key as it may be shown: never the key itself. Timestamps are ISO 8601 UTC or null. */
export interface ApiKeySummary {
  id: number;
  name: string;
  /** Its first characters, at most a third of it. */
  prefix: string;
  scopes: readonly KeyScope[];
  created_at: string;
  /** At most a minute late. */
  last_used_at: string | null;
  revoked_at: string | null;
}

/** How the column writes all scopes. */
export const allScopes = '*';

/** What a look-up by a key finds. */
export interface KeyRow {
  id: number;
  digest: Buffer;
  scopes: string;
  last_used_at: string | null;
  uid: string;
  name: string;
}

/** A row as it is shown, its scopes as they are stored. */
export type SummaryRow = Omit<ApiKeySummary, 'scopes'> & { scopes: string };

/** What `SummaryRow` is read from. */
export const summaryColumns = 'id, name, prefix, scopes, created_at, last_used_at, revoked_at';

/** A row as it may be shown. */
export function toKeySummary(row: SummaryRow): ApiKeySummary {
  return { ...row, scopes: parseScopes(row.scopes) };
}

/** Scopes as the column has them. Throws a `StoreError` `INVALID` for none. */
export function scopesText(scopes: readonly KeyScope[]): string {
  const known = keyScopes.filter((scope) => scopes.includes(scope));
  if (known.length === keyScopes.length) return allScopes;
  const [only] = known;
  if (only !== undefined) return only;
  throw new StoreError('INVALID', `An API key needs a scope: ${keyScopes.join(', ')} or both.`);
}

/** The scopes that a column's text stands for; what is no known text allows nothing. */
export function parseScopes(text: string): readonly KeyScope[] {
  return text === allScopes ? keyScopes : keyScopes.filter((scope) => scope === text);
}
