/** The address of the service in responses and pages. */
import type { Exchange } from '../../http/exchange.ts';
import { pageFile } from './page-file.ts';
import type { PageFile } from './page-file.ts';

/** The address under which the client of a request can open the service, without a slash at its end. */
export type PublicUrl = (exchange?: Pick<Exchange, 'requestOrigin'>) => string;

/** The address is `configured`, or else the address of the request, or else `localUrl`. */
export function createPublicUrl(configured: string | undefined, localUrl: () => string): PublicUrl {
  return (exchange) => configured ?? exchange?.requestOrigin ?? localUrl();
}

/** Placeholder for the address in a text (RFC 2606: no host has this name). */
const marker = 'http://address.invalid';

/**
 * A file that contains the address of the service. `build` runs once. A client that sends another `Host` each time thus
 * costs only a replacement in 400 KB of text. `escape` encodes an address for the file.
 */
export function addressedFile(
  type: string,
  build: (base: string) => string | Promise<string>,
  escape: (base: string) => string,
): (base: string) => Promise<PageFile> {
  let text: string | Promise<string> | undefined;
  let last: { base: string; file: PageFile } | undefined;
  return async (base) => {
    if (last?.base === base) return last.file;
    text ??= build(marker);
    const escaped = escape(base);
    // A function, because `replaceAll` would interpret `$&` in a replacement text.
    const body = (await text).replaceAll(marker, () => escaped);
    last = { base, file: pageFile(type, body) };
    return last.file;
  };
}
