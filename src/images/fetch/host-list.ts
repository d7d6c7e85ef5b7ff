/** Says whether a URL's host is one of those that an organization allows images from. */
import { ImageError } from '../image-error.ts';
import { hostName } from './source-url.ts';

/**
 * Throws an `ImageError` of reason `blocked` when `hosts` is a list and the URL's host is not on it.
 * An entry is a host name in lower case, or `*.` and one for every name below it, at any depth.
 * Costs no look-up: a name that is not listed is never asked of a name server.
 */
export function checkListedHost(url: URL, hosts: readonly string[] | undefined): void {
  if (hosts === undefined) return;
  const host = hostName(url);
  const isListed = hosts.some((entry) =>
    entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry,
  );
  if (isListed) return;
  throw new ImageError(
    'blocked',
    `is on ${host}, and this organization allows images from listed hosts only`,
  );
}
