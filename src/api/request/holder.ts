/** Authenticates the caller of an endpoint: a key of an organization, or an embed token, which opens one template. */
import { composed } from '#language/normal-form.ts';
import { parseTableSource } from '#language/values/table-source.ts';
import type { Template } from '#language/schema/template.ts';
import { readEmbedClaims } from '#language/embed-token.ts';
import { AppError } from '../../foundation/errors.ts';
import type { KeyHolders } from '../../http/api-key.ts';
import { requireKeyHolder, requireValidKey } from '../../http/api-key.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { KeyHolder } from '../../store/organizations/api-key-store.ts';
import type { KeyScope } from '../../store/organizations/api-key.ts';
import type { EmbedTokenStore } from '../../store/organizations/embed-token-store.ts';
import type { TemplateStore } from '../../store/template-store.ts';
import type { Declaration } from '../declaration.ts';

/** Lookup of keys and tokens. */
export type Holders = KeyHolders<KeyHolder> & Pick<EmbedTokenStore, 'findByEmbedToken'>;

/**
 * Finds the holder of the key or the embed token of a request. Throws UNAUTHORIZED if it is not valid, and FORBIDDEN if
 * it may not use the endpoint. No other function admits embed tokens.
 */
export function requireHolder(
  { apiKey, parameter }: Exchange,
  { embed, pathParameters }: Pick<Declaration, 'embed' | 'pathParameters'>,
  scope: KeyScope,
  holders: Holders,
): KeyHolder {
  if (readEmbedClaims(apiKey) === undefined) return requireKeyHolder(apiKey, holders, scope);
  const tokens = { findByKey: (token: string) => holders.findByEmbedToken(token) };
  requireValidKey(apiKey, tokens);
  if (embed === undefined) throw forbidden('An embed token cannot do this: use an API key.');
  const holder = requireKeyHolder(apiKey, tokens, scope);
  if (embed === 'publish' && !holder.embed.publish) {
    throw forbidden('This embed token cannot publish: make one with "publish": true.');
  }
  if (pathParameters !== undefined && 'uid' in pathParameters) {
    requireTokenTemplate(holder, parameter);
  }
  return holder;
}

/** Throws FORBIDDEN if a request with an embed token names another template than the token. */
export function requireTokenTemplate({ embed }: KeyHolder, uid: unknown): void {
  if (embed === undefined || uid === undefined || uid === embed.template) return;
  throw forbidden(`This embed token opens the template ${embed.template} alone.`);
}

/**
 * Throws FORBIDDEN if the document of a request with an embed token reads a new cell of a data table. New is a cell
 * that the draft of the token's template does not read. Without this check, the editor of one template could read every
 * table of the organization.
 */
export function refuseNewCells(
  holder: KeyHolder,
  document: Pick<Template, 'variables'>,
  templates: Pick<TemplateStore, 'findDocument'>,
): void {
  if (holder.embed === undefined) return;
  const wanted = cellsOf(document);
  if (wanted.length === 0) return;
  const stored = templates.findDocument(holder.uid, holder.embed.template);
  const known = stored === undefined ? [] : cellsOf(JSON.parse(stored.documentJson) as Template);
  const cell = wanted.find((each) => !known.includes(each));
  if (cell === undefined) return;
  throw forbidden(
    `An embed token cannot let the template read ${cell} of a data table: add it with an API key.`,
  );
}

/** `table.column` of each variable that has one. */
function cellsOf({ variables }: Pick<Template, 'variables'>): string[] {
  return variables.flatMap((variable) => {
    if (!('from' in variable) || variable.from === undefined) return [];
    const { table, column } = parseTableSource(variable.from);
    return [`${table}.${composed(column)}`];
  });
}

function forbidden(message: string): AppError {
  return new AppError('FORBIDDEN', message, { reason: 'embed' });
}
