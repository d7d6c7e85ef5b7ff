/** Makes the links of `POST /v1/render/{uid}`: plain, signed and short ones. Deletes short links. */
import { AppError } from '../foundation/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { emptyReply } from '../http/reply.ts';
import type { JsonLink } from '../render/json-render.ts';
import { findNewestKey } from '../render/link/auth.ts';
import { writeLink } from '../render/link/signature.ts';
import type { LinkKeys } from '../render/link/auth.ts';
import {
  linkCharactersMax,
  linkText,
  shortLinkSeconds,
  shortPath,
} from '../render/link/short-link.ts';
import { notPublished } from '../render/request.ts';
import { whenFree } from '../store/database/store-error.ts';
import type { ShortLinkStore } from '../store/short-link-store.ts';
import { pathParameter } from './declaration.ts';
import { endpoint } from './endpoint.ts';
import type { PublicUrl } from './request/public-url.ts';
import { badBody } from './request/input.ts';

/** Services that making a link needs. */
export interface LinkParts {
  organizations: Pick<LinkKeys, 'findSigningKeys'>;
  shortLinks: ShortLinkStore;
  publicUrl: PublicUrl;
}

/** Options of a link in a body. */
export interface LinkRequest {
  /** Unix time in seconds. */
  expires?: number;
  short?: boolean;
}

/** Makes the link of an image: signed if the template needs it, short if requested or if the link would be too long. */
export async function makeLink(
  { organizations, shortLinks, publicUrl }: LinkParts,
  exchange: Exchange,
  { template, path, query }: JsonLink,
  { expires, short = false }: LinkRequest,
): Promise<{ url: string; short: boolean; expires: number | null }> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  if (expires !== undefined && expires <= nowSeconds) {
    throw refuseExpires(`is ${expires}, which is over, expected seconds since 1970 to come`);
  }
  const base = publicUrl(exchange);
  if (!short) {
    const key = findNewestKey(template, organizations);
    const signing = key === undefined ? undefined : { key, expires };
    const url = `${base}${writeLink(path, query, signing)}`;
    if (url.length <= linkCharactersMax) {
      if (key !== undefined || expires === undefined)
        return { url, short, expires: expires ?? null };
      throw refuseExpires('is for signed and short links: leave it out, or add "short": true');
    }
  }
  const end = expires ?? nowSeconds + shortLinkSeconds;
  const { linkJson, problem } = linkText(path, query);
  if (problem !== undefined) throw badBody([{ path: 'values', message: problem }], 'body');
  const stored = { uid: path.uid, linkJson, expires: end };
  const token = await whenFree(() => shortLinks.createLink(template.organizationUid, stored));
  if (token === undefined) throw notPublished(path.uid);
  return { url: `${base}${shortPath(token, path)}`, short: true, expires: end };
}

function refuseExpires(message: string): AppError {
  return badBody([{ path: 'expires', message }], 'body');
}

/** `DELETE /v1/short-links/{token}`. */
export const deleteShortLink = endpoint(
  {
    id: 'deleteShortLink',
    route: 'short-links',
    method: 'delete',
    path: '/v1/short-links/{token}',
    tag: 'Render',
    summary: 'Delete a short link',
    description: 'Deletes a short link with its values. It answers 404 from then on.',
    scope: 'render',
    pathParameters: { token: pathParameter('Token of the link.', '7Qm3vX0aLr2TzK9cBw5e') },
    answers: { 204: { description: 'It is deleted.' } },
    errors: { 404: 'No such link in the organization.' },
    clientCall:
      "await platen.request('DELETE /v1/short-links/{token}', { path: { token: '7Qm3vX0aLr2TzK9cBw5e' } })",
    errorShape: 'organization',
  },
  ({ shortLinks }: Pick<LinkParts, 'shortLinks'>) =>
    async ({ parameter }, { holder }) => {
      if (await whenFree(() => shortLinks.deleteLink(holder.uid, parameter)))
        return emptyReply(204);
      throw new AppError('NOT_FOUND', 'Short link not found', { reason: 'short-link' });
    },
);
