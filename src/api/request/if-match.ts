/** Reads the header `If-Match`: the content ids of a draft on which a change is based. */
import type { Exchange } from '../../http/exchange.ts';

/**
 * The content ids of the header, undefined without one and for `*`, which any draft fulfils (RFC 9110, 13.1.1).
 * A tag may stand without its quotes, as the content id does in a body. What is weak or no tag matches no draft.
 */
export function parseIfMatch({ ifMatch }: Exchange): readonly string[] | undefined {
  const text = ifMatch.trim();
  if (text === '' || text === '*') return undefined;
  return text.split(',').map((tag) => tag.trim().replace(/^"(.*)"$/, '$1'));
}

/** The entity tag of a document. */
export function documentETag(cid: string): string {
  return `"${cid}"`;
}
