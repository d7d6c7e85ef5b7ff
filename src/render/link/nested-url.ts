/** Reads the address of an image that stands in a link without being encoded. */
import type { Query, QueryParameter } from '../../http/query.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import { listPart } from '../list-values.ts';

/**
 * The value of an image variable. One that begins with `https://` as it stands was never encoded, so
 * its escapes and plus signs are its own; and in `photo=https://example.com/a%2Fb.png?w=600&sig=x` the `&`
 * has cut it in two: segments are added until one that the link itself means, a variable, an option, or
 * what a campaign or a click adds at its end.
 */
export function nestedUrl(
  { variables }: Pick<PublishedTemplate, 'variables'>,
  query: Query,
  index: number,
): string {
  const [first, ...rest] = query.parameters.slice(index) as [QueryParameter, ...QueryParameter[]];
  const address = first.raw.slice(first.raw.indexOf('=') + 1);
  if (!/^https?:\/\//i.test(address)) return first.value;
  if (!address.includes('?')) return address;
  const end = rest.findIndex(
    ({ name }) =>
      variables.has(name) ||
      /^(_|utm_)/.test(name) ||
      trackingParameters.has(name) ||
      listPart(name, variables) !== undefined,
  );
  const continuation = end === -1 ? rest : rest.slice(0, end);
  return [address, ...continuation.map(({ raw }) => raw)].join('&');
}

/**
 * Parameters that advertising networks and email services append to links: each click or recipient has its own
 * value. As part of an image's address they would make every reader's image a fetch of its own.
 */
export const trackingParameters: ReadonlySet<string> = new Set([
  'fbclid', // Meta
  'igshid',
  'gclid', // Google
  'gclsrc',
  'dclid',
  'gbraid',
  'wbraid',
  'srsltid',
  'msclkid', // Microsoft
  'twclid', // X
  'ttclid', // TikTok
  'li_fat_id', // LinkedIn
  'epik', // Pinterest
  'sccid', // Snapchat
  'rdt_cid', // Reddit
  'yclid', // Yandex
  'ysclid',
  'mc_cid', // Mailchimp
  'mc_eid',
  'mkt_tok', // Marketo
  'vero_id', // Vero
  'oly_enc_id', // Omeda
  'oly_anon_id',
]);
