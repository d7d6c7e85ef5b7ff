/** Decides whether a link may be drawn: open, signed, or with the organization's key. */
import { AppError } from '../../foundation/errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { KeyHolders } from '../../http/api-key.ts';
import type { KeyScope } from '../../store/organizations/key-scopes.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import { expiresAt, isSigned } from './signature.ts';
import { parseRenderPath } from '../request.ts';

/** The keys that open closed links. */
export interface LinkKeys extends KeyHolders<{ uid: string; scopes: readonly KeyScope[] }> {
  /** The valid signing keys of a template; never stale. */
  findSigningKeys(uid: string): readonly string[];
}

/**
 * Checks a request against `linkAuth` of the template's newest version. Throws UNAUTHORIZED. Fails closed: what
 * is no known word, or a template without a signing key, lets nobody in. A valid key of another organization is
 * worth no more than none, and the answer does not tell them apart.
 */
export function checkLinkAuth(
  template: PublishedTemplate,
  exchange: Exchange,
  keys: LinkKeys,
  nowMs: () => number = Date.now,
): void {
  if (template.linkAuth === 'open') return;
  if (template.linkAuth === 'signed') checkSignature(template, exchange, keys, nowMs);
  else checkKey(template, exchange, keys);
}

function checkSignature(
  { uid }: PublishedTemplate,
  { parameter, path, query }: Exchange,
  keys: LinkKeys,
  nowMs: () => number,
): void {
  // With or without its extension: a link may be signed before its format is chosen.
  const plainPath = path.slice(0, path.length - parameter.length) + parseRenderPath(parameter).uid;
  const paths = path === plainPath ? [path] : [plainPath, path];
  if (!isSigned(query, paths, keys.findSigningKeys(uid))) {
    throw new AppError(
      'UNAUTHORIZED',
      'This template answers signed links only, and the signature of this link is absent or not valid.',
      { reason: 'signature' },
    );
  }
  const expires = expiresAt(query);
  // Not a number is not before anything either.
  if (expires === undefined || nowMs() < expires * 1000) return;
  throw new AppError(
    'UNAUTHORIZED',
    'This link has expired: its _expires, a Unix time in seconds, is over. Ask whoever sent it for a new one.',
    { reason: 'expired' },
  );
}

function checkKey(template: PublishedTemplate, exchange: Exchange, keys: LinkKeys): void {
  const holder = keys.findByKey(exchange.apiKey);
  if (holder?.uid === template.organizationUid && holder.scopes.includes('read')) return;
  throw new AppError(
    'UNAUTHORIZED',
    'This template needs the API key of its organization in the header X-API-Key.',
    { reason: 'key' },
  );
}
