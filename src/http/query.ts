/** Parses a raw query string in the forms that email services send. Never throws, for any bytes. */

/** One `name=value` of a query, decoded. */
export interface QueryParameter {
  name: string;
  value: string;
  /** The segment as sent, not decoded: `name=value`. */
  raw: string;
}

/**
 * The parameters of a query in order; `isTruncated` if there were more than the limit, so that the rest was not read.
 */
export interface Query {
  parameters: QueryParameter[];
  isTruncated: boolean;
}

/**
 * Parameters read of one query: five times the variables of a template. The size limit of the head would allow 8,000.
 */
export const parametersMax = 1000;

/**
 * Splits and decodes a raw query (without its `?`).
 *
 * `+` and `%20` are a space, `%XX` sequences are UTF-8, and invalid sequences remain unchanged (`50% off`,
 * `%FIRSTNAME%`, `%FF`). A prefix `amp;` of a segment is removed: it comes from an `&amp;` that was not unescaped. Only
 * the first `=` splits. A segment without one has an empty value, and an empty name is left out. Parameters of equal
 * names are all returned: the first one counts.
 */
export function parseQuery(raw: string): Query {
  const parameters: QueryParameter[] = [];
  let start = 0;
  while (start < raw.length) {
    if (parameters.length === parametersMax) return { parameters, isTruncated: true };
    let end = raw.indexOf('&', start);
    if (end === -1) end = raw.length;
    const parameter = parseSegment(raw.slice(start, end));
    if (parameter !== undefined) parameters.push(parameter);
    start = end + 1;
  }
  return { parameters, isTruncated: false };
}

/** Returns the value of the first parameter called `name`. */
export function firstValue(query: Query, name: string): string | undefined {
  for (const parameter of query.parameters) if (parameter.name === name) return parameter.value;
  return undefined;
}

function parseSegment(segment: string): QueryParameter | undefined {
  let raw = segment;
  while (raw.startsWith('amp;')) raw = raw.slice(4);
  const equals = raw.indexOf('=');
  const name = decodeComponent(equals === -1 ? raw : raw.slice(0, equals));
  if (name === '') return undefined;
  return { name, value: equals === -1 ? '' : decodeComponent(raw.slice(equals + 1)), raw };
}

/** Decodes a name or value of a query: `+` to space, valid `%XX` sequences to UTF-8, everything else unchanged. */
function decodeComponent(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  return spaced.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, decodeRun);
}

/**
 * Decodes a run of `%XX` character by character; invalid UTF-8 remains unchanged. Not the built-in decoder, which
 * throws: 16 KiB of `%FF` would cost thousands of exceptions.
 */
function decodeRun(run: string): string {
  let text = '';
  let position = 0;
  while (position < run.length) {
    const codePoint = sequenceAt(run, position);
    if (codePoint === undefined) {
      text += run.slice(position, position + 3);
      position += 3;
    } else {
      text += String.fromCodePoint(codePoint);
      position += 3 * utf8Bytes(codePoint);
    }
  }
  return text;
}

/** Returns the character whose UTF-8 sequence starts at `position`, if it is well formed (RFC 3629 section 3). */
function sequenceAt(run: string, position: number): number | undefined {
  const lead = byteAt(run, position);
  if (lead < 0x80) return lead;
  const length = sequenceBytes(lead);
  let codePoint = lead & (0x7f >> length);
  for (let index = 1; index < length; index += 1) {
    const byte = byteAt(run, position + 3 * index);
    if ((byte & 0xc0) !== 0x80) return undefined;
    codePoint = (codePoint << 6) | (byte & 0x3f);
  }
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  const isShortest = length > 1 && codePoint <= 0x10ffff && utf8Bytes(codePoint) === length;
  return isShortest && !isSurrogate ? codePoint : undefined;
}

/** Length of the sequence by its lead byte; 1 for a byte that is not a lead byte. */
function sequenceBytes(lead: number): number {
  if (lead >= 0xf0) return lead <= 0xf4 ? 4 : 1;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc2 ? 2 : 1;
}

function utf8Bytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** Returns the byte of the `%XX` at `position`; 0 past the end, which continues no sequence. */
function byteAt(run: string, position: number): number {
  if (position >= run.length) return 0;
  return hexDigit(run.charCodeAt(position + 1)) * 16 + hexDigit(run.charCodeAt(position + 2));
}

/** Value of `0-9A-Fa-f` by its code: letters of both cases have their number in the low bits, from 1. */
function hexDigit(code: number): number {
  return code <= 0x39 ? code - 0x30 : (code & 0xf) + 9;
}
