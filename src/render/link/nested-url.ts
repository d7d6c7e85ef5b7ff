/** Reads the URL of an image in a link, also if the URL is not encoded. */
import type { Query, QueryParameter } from '../../http/query.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import { findVariable, listPart } from '../list-values.ts';

/**
 * The value of an image variable. A raw value that begins with `http://` or `https://` was not encoded, so its escapes
 * and plus signs remain unchanged. In `photo=https://example.com/a%2Fb.png?w=600&sig=x`, the `&` has split the URL. The
 * following segments are appended, up to the first variable, option, or parameter that a campaign or a click adds.
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
      findVariable(name, variables) !== undefined ||
      /^(_|utm_)/.test(name) ||
      trackingParameters.has(name) ||
      listPart(name, variables) !== undefined,
  );
  const continuation = end === -1 ? rest : rest.slice(0, end);
  return [address, ...continuation.map(({ raw }) => raw)].join('&');
}

/**
 * Parameters that advertising networks and email services append to links, with a different value for each click or
 * recipient. As part of an image's URL they would cause a separate fetch for every reader.
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
