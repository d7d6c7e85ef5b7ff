/** Signatures of render links: what is signed, how, and whether a link's signature is one of a template's keys. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { firstValue, parseQuery } from '../../http/query.ts';

/** What of a link its signature speaks of. `query` is as sent, without its `?`. */
export interface SignedLink {
  path: string;
  query: string;
}

const signatureName = '_signature';
const expiresName = '_expires';

/** HMAC-SHA256 in lower-case hexadecimal digits (contract, signed links). */
const signaturePattern = /^[0-9a-f]{64}$/;

/**
 * The text that is signed: the path, `?`, and the query as sent without its `_signature`. An `&amp;` that was
 * never unescaped counts as `&`, because it became one on the way through a mail tool; and `'` as `%27`, because
 * browsers and `fetch` send that in its place (WHATWG URL, special-query percent-encode set).
 */
export function signedText({ path, query }: SignedLink): string {
  const segments = query.split('&').map((segment) => segment.replace(/^(?:amp;)+/, ''));
  const signed = segments.filter((segment) => nameOf(segment) !== signatureName).join('&');
  return `${path}?${signed.replaceAll("'", '%27')}`;
}

/** The signature of a link with a template's signing key. */
export function signLink(link: SignedLink, key: string): string {
  return signText(signedText(link), key);
}

function signText(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** The texts that a signer may have signed: JavaScript's `encodeURIComponent` leaves a `'`, which then arrives as `%27`. */
function signableTexts(link: SignedLink): string[] {
  const text = signedText(link);
  return text.includes('%27') ? [text, text.replaceAll('%27', "'")] : [text];
}

/**
 * Whether the link's `_signature` was made with one of `keys`, for one of `paths`. Each comparison takes the same
 * time wherever the first wrong digit stands: a signature cannot be guessed digit by digit.
 */
export function isSigned(
  query: string,
  paths: readonly string[],
  keys: readonly string[],
): boolean {
  const signature = firstValue(parseQuery(query), signatureName) ?? '';
  if (!signaturePattern.test(signature)) return false;
  const given = Buffer.from(signature);
  const texts = paths.flatMap((path) => signableTexts({ path, query }));
  return texts.some((text) =>
    keys.some((key) => timingSafeEqual(given, Buffer.from(signText(text, key)))),
  );
}

/** The Unix time in seconds until which a link is valid; undefined without `_expires`, NaN when it is no such time. */
export function expiresAt(query: string): number | undefined {
  const text = firstValue(parseQuery(query), expiresName);
  if (text === undefined) return undefined;
  return /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
}

function nameOf(segment: string): string | undefined {
  return parseQuery(segment).parameters[0]?.name;
}
