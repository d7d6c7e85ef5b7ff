/** Authorizes links by the template's setting: open, signed, or with the organization's key. */
import { extensionOf } from '#language/formats.ts';
import { AppError } from '../../foundation/errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { KeyHolders } from '../../http/api-key.ts';
import type { KeyScope } from '../../store/organizations/api-key.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import { parseRenderPath } from '../request.ts';
import type { RenderPath } from '../request.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { firstValue, parseQuery } from '../../http/query.ts';
import type { Query } from '../../http/query.ts';

/** The API keys and signing keys that authorize links. */
export interface LinkKeys extends KeyHolders<{ uid: string; scopes: readonly KeyScope[] }> {
  /** The valid signing keys of a template; never stale. */
  findSigningKeys(uid: string): readonly string[];
}

/**
 * Checks a request against `linkAuth` of the template's access. Throws UNAUTHORIZED. Fails closed: an unknown
 * `linkAuth` requires a key, and a template without a signing key accepts no signed link. A valid key of another
 * organization gets the same response as no key.
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
  // The signature may cover the path with or without extension: a link may be signed before its format is chosen.
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
  // An invalid `_expires` is NaN, which fails this comparison.
  if (expires === undefined || nowMs() < expires * 1000) return;
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

// Signatures of render links: the signed text, signing and verification.

/** The signed parts of a link. `query` is as sent, without its `?`. */
interface SignedLink {
  path: string;
  query: string;
}

const signatureName = '_signature';
const expiresName = '_expires';

/** HMAC-SHA256 in lower-case hexadecimal digits (contract, signed links). */
const signaturePattern = /^[0-9a-f]{64}$/;

/**
 * The signed text: the path, `?`, and the query as sent without its `_signature`. An `&amp;` counts as `&`, because an
 * email service may have escaped the link. A `'` counts as `%27`, because browsers and `fetch` send it in this form
 * (WHATWG URL, special-query percent-encode set).
 */
export function signedText({ path, query }: SignedLink): string {
  const segments = query.split('&').map((segment) => segment.replace(/^(?:amp;)+/, ''));
  const signed = segments.filter((segment) => nameOf(segment) !== signatureName).join('&');
  return `${path}?${signed.replaceAll("'", '%27')}`;
}

export function signLink(link: SignedLink, key: string): string {
  return signText(signedText(link), key);
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

/**
 * Returns a link from `/v1` on, signed if there is a key. The signature covers `expires`, a Unix time in seconds.
 */
export function writeLink(
  { uid, format }: RenderPath,
  query: Query,
  signing?: { key: string; expires: number | undefined },
): string {
  const path = `/v1/render/${uid}`;
  const segments = query.parameters.map(({ raw }) => raw);
  if (signing !== undefined) {
    const { key, expires } = signing;
    if (expires !== undefined) segments.push(`${expiresName}=${expires}`);
    segments.push(`${signatureName}=${signLink({ path, query: segments.join('&') }, key)}`);
  }
  const extension = format === undefined ? '' : `.${extensionOf(format)}`;
  return `${path}${extension}${segments.length === 0 ? '' : '?'}${segments.join('&')}`;
}

function signText(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Texts that a signer may have signed. JavaScript's `encodeURIComponent` leaves a `'`, which then arrives as `%27`. */
function signableTexts(link: SignedLink): string[] {
  const text = signedText(link);
  return text.includes('%27') ? [text, text.replaceAll('%27', "'")] : [text];
}

/**
 * Whether the link's `_signature` was made with one of `keys`, for one of `paths`. Comparisons take constant time, so a
 * signature cannot be guessed digit by digit.
 */
function isSigned(query: string, paths: readonly string[], keys: readonly string[]): boolean {
  const signature = firstValue(parseQuery(query), signatureName) ?? '';
  if (!signaturePattern.test(signature)) return false;
  const given = Buffer.from(signature);
  const texts = paths.flatMap((path) => signableTexts({ path, query }));
  return texts.some((text) =>
    keys.some((key) => timingSafeEqual(given, Buffer.from(signText(text, key)))),
  );
}

/** The Unix time in seconds until which a link is valid; undefined without `_expires`, NaN for an invalid one. */
export function expiresAt(query: string): number | undefined {
  const text = firstValue(parseQuery(query), expiresName);
  if (text === undefined) return undefined;
  return /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
}

function nameOf(segment: string): string | undefined {
  return parseQuery(segment).parameters[0]?.name;
}
