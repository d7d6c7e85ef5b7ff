/** Signatures of render links: signs them, and finds what a signature covers. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { extensionOf } from '#language/formats.ts';
import { linkOptionNames } from '#language/schema/access.ts';
import { encodePair, signatureVersion, signedText } from '#language/signed-text.ts';
import { firstValue, parseQuery } from '../../http/query.ts';
import type { Query } from '../../http/query.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import { findVariable, listPart } from '../list-values.ts';
import type { RenderPath } from '../request.ts';

const signatureName = '_signature';
const expiresName = '_expires';
/** The options, which only a signer may set. Other names with `_` are those of tracking programs, such as `_hsenc`. */
const optionNames: ReadonlySet<string> = new Set(
  [...linkOptionNames, 'animated', 'version', 'expires'].map((name) => `_${name}`),
);

/**
 * HMAC-SHA256 in lower-case hexadecimal digits, after the version. Programs that append parameters without looking for a
 * `?` write a second one at the end of the link.
 */
const signaturePattern = new RegExp(
  String.raw`^(?<version>${signatureVersion}\.)?(?<digits>[0-9a-f]{64})(?:\?.*)?$`,
  's',
);

/**
 * Returns a link from `/v1` on, signed if there is a key. The signature covers `expires`, a Unix time in seconds, and of
 * equal names the first one, which is the one that is read.
 */
export function writeLink(
  { uid, format }: RenderPath,
  query: Query,
  signing?: { key: string; expires: number | undefined },
): string {
  const path = `/v1/render/${uid}`;
  const segments =
    signing === undefined
      ? query.parameters.map(({ raw }) => raw)
      : signedSegments(path, query, signing);
  const extension = format === undefined ? '' : `.${extensionOf(format)}`;
  return `${path}${extension}${segments.length === 0 ? '' : '?'}${segments.join('&')}`;
}

function signedSegments(
  path: string,
  { parameters }: Query,
  { key, expires }: { key: string; expires: number | undefined },
): string[] {
  const values = new Map(parameters.toReversed().map(({ name, value }) => [name, value]));
  if (expires !== undefined) values.set(expiresName, String(expires));
  const names = new Set([...parameters.map(({ name }) => name), ...values.keys()]);
  const pairs = [...names].map((name) => encodePair(name, values.get(name) ?? ''));
  const signature = `${signatureVersion}.${digest(signedText(path, pairs), key)}`;
  return [...pairs, `${signatureName}=${signature}`];
}

/** The parts of a request that a signature covers. */
export interface SignedRequest {
  /** The path without extension, and as it was requested. */
  paths: readonly string[];
  /** The query as it was requested, without its `?`. */
  sent: string;
  query: Query;
}

/**
 * The parameters that a signature of one of `keys` covers; undefined without a valid signature. Nothing else of the link
 * may be read. Comparisons take constant time, so that a signature cannot be guessed digit by digit.
 */
export function verifiedQuery(
  request: SignedRequest,
  template: Pick<PublishedTemplate, 'variables'>,
  keys: readonly string[],
): Query | undefined {
  const { paths, sent, query } = request;
  const given = firstValue(query, signatureName) ?? '';
  const { version, digits = '' } = signaturePattern.exec(given)?.groups ?? {};
  if (digits === '') return undefined;
  const isOf = (text: string): boolean =>
    keys.some((key) => timingSafeEqual(Buffer.from(digits), Buffer.from(digest(text, key))));
  if (version === undefined) {
    const texts = paths.flatMap((path) => sentTexts(path, sent));
    return given === digits && texts.some(isOf) ? query : undefined;
  }
  return coverableQueries(query, template).find(({ parameters }) => {
    const pairs = parameters.map(({ raw }) => raw);
    return paths.some((path) => isOf(signedText(path, pairs)));
  });
}

/**
 * What a signature may cover: the whole query, or the query without what programs append, in the spelling of
 * `encodePair`. A name that the template reads is never left out, nor an option, and no name occurs twice.
 */
function coverableQueries(
  { parameters, isTruncated }: Query,
  { variables }: Pick<PublishedTemplate, 'variables'>,
): Query[] {
  const signatureAt = parameters.findIndex(({ name }) => name === signatureName);
  const all = parameters
    .map(({ name, value }, at) => ({
      parameter: { name, value, raw: encodePair(name, value) },
      isRead:
        optionNames.has(name) ||
        findVariable(name, variables) !== undefined ||
        listPart(name, variables) !== undefined,
      isAppended: at > signatureAt,
    }))
    .filter(({ parameter }) => parameter.name !== signatureName)
    // In one order, so that no other order of the link gives another image.
    .toSorted((a, b) => (a.parameter.raw < b.parameter.raw ? -1 : 1));
  const lists = [
    all,
    all.filter(({ isRead, isAppended }) => isRead || !isAppended),
    all.filter(({ isRead }) => isRead),
  ];
  return lists
    .filter((list, at) => at === 0 || list.length < (lists[at - 1]?.length ?? 0))
    .filter((list) => new Set(list.map(({ parameter }) => parameter.name)).size === list.length)
    .map((list) => ({ parameters: list.map(({ parameter }) => parameter), isTruncated }));
}

function digest(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/**
 * Texts of a signature without a version: the path, `?`, and the query as sent without its `_signature`. An `&amp;`
 * counts as `&`, because an email service may have escaped the link. A `'` counts as `%27`, because browsers and `fetch`
 * send it in this form (WHATWG URL, special-query percent-encode set), and JavaScript's `encodeURIComponent` leaves it.
 */
export function sentTexts(path: string, sent: string): string[] {
  const segments = sent.split('&').map((segment) => segment.replace(/^(?:amp;)+/, ''));
  const covered = segments.filter((segment) => !isSignature(segment)).join('&');
  const text = `${path}?${covered.replaceAll("'", '%27')}`;
  return text.includes('%27') ? [text, text.replaceAll('%27', "'")] : [text];
}

function isSignature(segment: string): boolean {
  return parseQuery(segment).parameters[0]?.name === signatureName;
}

/** The Unix time in seconds until which a link is valid; undefined without `_expires`, NaN for an invalid one. */
export function expiresAt(query: Query): number | undefined {
  const text = firstValue(query, expiresName);
  if (text === undefined) return undefined;
  return /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
}
