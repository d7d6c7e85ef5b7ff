/** Authorizes links by the template's setting: open, signed, or with the organization's key. */
import { AppError } from '../../foundation/errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { KeyHolders } from '../../http/api-key.ts';
import type { KeyScope } from '../../store/organizations/api-key.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import { parseRenderPath } from '../request.ts';
import type { Query } from '../../http/query.ts';
import { expiresAt, verifiedQuery } from './signature.ts';

/** The API keys and signing keys that authorize links. */
export interface LinkKeys extends KeyHolders<{ uid: string; scopes: readonly KeyScope[] }> {
  /** The valid signing keys of a template; never stale. */
  findSigningKeys(uid: string): readonly string[];
}

/**
 * Checks a request against `linkAuth` of the template's access, and returns the part of its query that may be read:
 * what programs append to a signed link is left out. Throws UNAUTHORIZED. Fails closed: an unknown `linkAuth` requires a
 * key, and a template without a signing key accepts no signed link. A valid key of another organization gets the same
 * response as no key.
 */
export function checkLinkAuth(
  template: PublishedTemplate,
  exchange: Exchange,
  query: Query,
  keys: LinkKeys,
): Query {
  if (template.linkAuth === 'open') return query;
  if (template.linkAuth === 'signed') return checkSignature(template, exchange, query, keys);
  checkKey(template, exchange, keys);
  return query;
}

function checkSignature(
  template: PublishedTemplate,
  { parameter, path, query: sent }: Exchange,
  query: Query,
  keys: LinkKeys,
): Query {
  // The signature may cover the path with or without extension: a link may be signed before its format is chosen.
  const plainPath = path.slice(0, path.length - parameter.length) + parseRenderPath(parameter).uid;
  const paths = path === plainPath ? [path] : [plainPath, path];
  const request = { paths, sent, query };
  const signed = verifiedQuery(request, template, keys.findSigningKeys(template.uid));
  if (signed === undefined) {
    throw new AppError(
      'UNAUTHORIZED',
      'This template answers signed links only, and the signature of this link is absent or not valid.',
      { reason: 'signature' },
    );
  }
  const expires = expiresAt(signed);
  // An invalid `_expires` is NaN, which fails this comparison.
  if (expires === undefined || Date.now() < expires * 1000) return signed;
  throw new AppError(
    'UNAUTHORIZED',
    'This link has expired: its _expires, a Unix time in seconds, is over. Ask the sender for a new one.',
    { reason: 'expired' },
  );
}

function checkKey(template: PublishedTemplate, exchange: Exchange, keys: LinkKeys): void {
  const holder = keys.findByKey(exchange.apiKey);
  const mayRender = holder?.scopes.some((scope) => scope === 'read' || scope === 'render') ?? false;
  if (holder?.uid === template.organizationUid && mayRender) return;
  throw new AppError(
    'UNAUTHORIZED',
    'This template needs the API key of its organization in the header X-API-Key.',
    { reason: 'key' },
  );
}

/**
 * The newest signing key of a template, which signs new links; undefined if its links are not signed. Throws CONFLICT
 * if the template has no key.
 */
export function findNewestKey(
  { uid, linkAuth }: Pick<PublishedTemplate, 'uid' | 'linkAuth'>,
  keys: Pick<LinkKeys, 'findSigningKeys'>,
): string | undefined {
  if (linkAuth !== 'signed') return undefined;
  const [key] = keys.findSigningKeys(uid);
  if (key !== undefined) return key;
  throw new AppError(
    'CONFLICT',
    `The template answers signed links only, and has no signing key: create one with POST /v1/templates/${uid}/signing-keys.`,
    { reason: 'signing-key' },
  );
}
