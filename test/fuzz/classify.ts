/** Says of bytes that were sent why they may stay without an answer, by the rules of HTTP and the limits that are documented. */
import { readAddonVersion } from '../../src/http/native.ts';

const refusesCutLines = readAddonVersion().known?.refusesCutLines === true;

const requestLine = /^[A-Za-z]+ \/[\x21-\xff]* HTTP\/1\.1$/;
const headerLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*$/;
/** Chunked bodies that every reader takes for the same. */
const plainChunks = /^(?:5\r\nhello\r\n)?0\r\n\r\n$/;

/** The end of a part behind which a version or the rest of it stands. */
const beforeVersion = / (?:H|HT|HTT|HTTP|HTTP\/|HTTP\/1|HTTP\/1\.|HTTP\/1\.1|HTTP\/1\.1\r)?$/;

/**
 * Why one connection may be closed without an answer, or be answered 505 for no fault; undefined when its one request is whole, so
 * that an answer must come.
 */
export function silenceReason(parts: readonly string[]): string | undefined {
  return isCutInVersion(parts) ? 'a request line in pieces' : fault(parts.join(''));
}

/** Whether the build in use may say 505 to these parts: one seems to end within the ` HTTP/1.1` of a request line. */
export function isCutInVersion(parts: readonly string[]): boolean {
  if (!refusesCutLines) return false;
  return parts
    .slice(0, -1)
    .some((_, index) => beforeVersion.test(parts.slice(0, index + 1).join('')));
}

function fault(bytes: string): string | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return 'a head without an end';
  const [first = '', ...lines] = bytes.slice(0, headEnd).split('\r\n');
  if (!requestLine.test(first)) return 'a request line that is none';
  if (!lines.every((line) => headerLine.test(line))) return 'a header line that is none';
  if (valuesOf(lines, 'host').length === 0) return 'no Host';
  return bodySilence(lines, bytes.slice(headEnd + 4));
}

function bodySilence(lines: readonly string[], rest: string): string | undefined {
  const lengths = valuesOf(lines, 'content-length');
  const encodings = valuesOf(lines, 'transfer-encoding');
  if (lengths.length + encodings.length > 1) return 'a body that is framed twice';
  const [length = '0'] = lengths;
  const [encoding] = encodings;
  if (encoding !== undefined) {
    if (encoding.toLowerCase() !== 'chunked') return 'another encoding than chunked';
    return plainChunks.test(rest) ? undefined : 'chunks that are none, or bytes behind them';
  }
  if (!/^\d{1,15}$/.test(length)) return 'a length that is none';
  if (rest.length < Number(length)) return 'a body without an end';
  return rest.length > Number(length) ? 'bytes behind a request' : undefined;
}

function valuesOf(lines: readonly string[], name: string): string[] {
  return lines.flatMap((line) => {
    const at = line.indexOf(':');
    return line.slice(0, at).toLowerCase() === name ? [line.slice(at + 1).trim()] : [];
  });
}
