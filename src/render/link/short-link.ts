/** A short link: the format and the parameters of a link, which the store keeps as JSON under a token. */
import { LRUCache } from 'lru-cache';
import { extensionOf } from '#language/formats.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import { AppError } from '../../foundation/errors.ts';
import { parametersMax } from '../../http/query.ts';
import type { Query } from '../../http/query.ts';
import type { ShortLinkStore } from '../../store/short-link-store.ts';
import { parameter } from '../json-values.ts';
import { parseRenderPath } from '../request.ts';
import type { RenderPath } from '../request.ts';

/** Length up to which email services and messengers do not cut a link. */
export const linkCharactersMax = 2000;

/** Characters of the stored text of a short link: enough for 200 items of 20 fields. Requests parse the text. */
const shortLinkCharactersMax = 128 * 1024;

/** Default lifetime of a short link, a year: its email may be opened again. */
export const shortLinkSeconds = 365 * 24 * 60 * 60;

export function shortPath(token: string, { format }: RenderPath): string {
  return `/r/${token}${format === undefined ? '' : `.${extensionOf(format)}`}`;
}

/** The stored text of a short link, besides uid and expiry. */
interface LinkText {
  format?: RenderFormat | undefined;
  parameters: readonly (readonly [name: string, value: string])[];
}

/**
 * Returns the text to store for a link, or a problem if it is too long: requests without a key parse it. Its lists
 * should have only fields that the template reads (`knownFields`).
 */
export function linkText(
  { format }: RenderPath,
  query: Query,
): { linkJson: string; problem?: undefined } | { linkJson?: undefined; problem: string } {
  if (query.parameters.length > parametersMax) {
    return { problem: tooMany(parametersMax, 'values: give lists as arrays') };
  }
  const parameters = query.parameters.map(({ name, value }) => [name, value] as const);
  const linkJson = JSON.stringify({ format, parameters } satisfies LinkText);
  if (linkJson.length <= shortLinkCharactersMax) return { linkJson };
  const kind = 'characters: give fewer items or shorter values';
  return { problem: tooMany(shortLinkCharactersMax, kind) };
}

function tooMany(most: number, kind: string): string {
  return `are too many: a short link has at most ${most} ${kind}`;
}

/** Size of the cache of parsed links, as `sizeCalculation` estimates it. */
const parsedBytesMax = 16 * 1024 * 1024;

/** Recently parsed links by token; used only if the store still has the same text. */
const parsed = new LRUCache<
  string,
  { linkJson: string; format: RenderFormat | undefined; query: Query }
>({
  maxSize: parsedBytesMax,
  // The text, its values and the template's values, up to two bytes a character each, and 400 bytes for each parameter.
  sizeCalculation: ({ linkJson, query }) => 6 * linkJson.length + 400 * query.parameters.length + 1,
});

function parseLink(token: string, linkJson: string): Pick<RenderPath, 'format'> & { query: Query } {
  const known = parsed.get(token);
  if (known?.linkJson === linkJson) return known;
  const { format, parameters } = JSON.parse(linkJson) as LinkText;
  const query: Query = {
    parameters: parameters.map(([name, value]) => parameter(name, value)),
    isTruncated: false,
  };
  const link = { linkJson, format, query };
  parsed.set(token, link);
  return link;
}

/** Reads the link of the last path segment: a token, with an optional extension. Throws NOT_FOUND. */
export function readShortLink(
  links: Pick<ShortLinkStore, 'findLink'>,
  segment: string,
): { path: RenderPath; query: Query; expires: number } {
  // A token has the characters of a uid.
  const { uid: token, format: extension } = parseRenderPath(segment);
  const found = links.findLink(token);
  if (found === undefined) {
    throw new AppError(
      'NOT_FOUND',
      'Link not found: it has expired or was deleted. Ask the sender for a new one.',
      { reason: 'short-link' },
    );
  }
  const { format, query } = parseLink(token, found.linkJson);
  return { path: { uid: found.uid, format: extension ?? format }, query, expires: found.expires };
}
