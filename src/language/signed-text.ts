/**
 * The text that the signature of a link covers, version 2: the decoded names and values in one spelling. Programs that
 * spell a link another way, or reorder it, leave the text as it is.
 */

/** The beginning of the signature, and of the text. Older signatures have no version and cover the query as it is sent. */
export const signatureVersion = 'v2';

/** `name=value`, each in UTF-8 with all bytes but `A-Z a-z 0-9 - . _ ~` as `%XX` (RFC 3986, upper-case digits). */
export function encodePair(name: string, value: string): string {
  return `${encodeText(name)}=${encodeText(value)}`;
}

/**
 * Encodes a text for a query, and also what `encodeURIComponent` leaves: email and chat programs do, and `'` could end an
 * attribute.
 */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The signed text of a path and pairs of `encodePair`, whose names must differ: `v2:/v1/render/card?a=1&b=2`. */
export function signedText(path: string, pairs: readonly string[]): string {
  // They are ASCII, so that all languages sort them alike.
  return `${signatureVersion}:${path}?${pairs.toSorted().join('&')}`;
}
