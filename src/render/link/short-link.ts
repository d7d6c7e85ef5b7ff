/** A short link: the format and the parameters of a link, which the store keeps as JSON under a token. */
import { extensionOf } from '#language/formats.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import { AppError } from '../../foundation/errors.ts';
import type { Query } from '../../http/query.ts';
import type { ShortLinkStore } from '../../store/short-link-store.ts';
import { parameter } from '../json-values.ts';
import { parseRenderPath } from '../request.ts';
import type { RenderPath } from '../request.ts';

/** Characters of a link that email services and messengers keep whole. */
export const linkCharactersMax = 2000;

/** A short link without a chosen end lives a year: the email may be opened again. */
export const shortLinkSeconds = 365 * 24 * 60 * 60;

/** The path of a short link. */
export function shortPath(token: string, { format }: RenderPath): string {
  return `/r/${token}${format === undefined ? '' : `.${extensionOf(format)}`}`;
}

/** What is stored beside uid and expiry. */
interface LinkText {
  format?: RenderFormat | undefined;
  parameters: readonly (readonly [name: string, value: string])[];
}

/** The text of a link, to be stored. */
export function linkText({ format }: RenderPath, query: Query): string {
  const parameters = query.parameters.map(({ name, value }) => [name, value] as const);
  return JSON.stringify({ format, parameters } satisfies LinkText);
}

/** The link of the last segment of a path: a token, with an extension if wanted. Throws NOT_FOUND. */
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
  const { format, parameters } = JSON.parse(found.linkJson) as LinkText;
  return {
    path: { uid: found.uid, format: extension ?? format },
    query: {
      parameters: parameters.map(([name, value]) => parameter(name, value)),
      isTruncated: false,
    },
    expires: found.expires,
  };
}
