/** Detects the encoding of a text file by its byte order mark, its bytes, or the language of its words. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { unreadable } from '../list.ts';

export interface TextEncoding {
  /** A label of the WHATWG Encoding Standard. */
  encoding: string;
  hasBom: boolean;
}

/** Encodings by their names in the detector. Others must be named, because short names do not distinguish them. */
const candidates: Readonly<Record<string, string>> = {
  'Windows-1252': 'windows-1252',
  'Windows-1250': 'windows-1250',
  'Windows-1251': 'windows-1251',
  'Windows-1253': 'windows-1253',
  'Windows-1254': 'windows-1254',
  'Windows-1255': 'windows-1255',
  'Windows-1256': 'windows-1256',
  'Windows-1257': 'windows-1257',
  CP874: 'windows-874',
  CP932: 'shift_jis',
  'EUC-JP': 'euc-jp',
  GB18030: 'gb18030',
  Big5: 'big5',
  CP949: 'euc-kr',
};

/** Bytes of the sample of cells with bytes beyond ASCII: a few hundred names suffice. */
const sampleBytesMax = 16 * 1024;
/** Minimum ratio of another score to that of Windows-1252, because Western European files are the most frequent. */
const westernAdvantage = 1.2;
/**
 * Minimum ratio of Windows-1254's score to that of Windows-1252, in a text with one of the six bytes that differ. These
 * bytes are Turkish letters in Windows-1254, and Icelandic letters in Windows-1252. Turkish names reach 0.9 or more,
 * Icelandic names at most 0.6.
 */
const turkishPartMin = 0.75;
/** Minimum share of intact UTF-8 sequences in a damaged UTF-8 file. Other encodings reach 0.1. */
const utf8PartMin = 0.8;

/** Detects the encoding. Reads the whole file, unless a byte order mark or a zero byte decides. */
export async function detectEncoding(path: string, head: Buffer): Promise<TextEncoding> {
  const marked = encodingOfMark(head);
  if (marked !== undefined) return { encoding: marked, hasBom: true };
  if (head.includes(0)) return { encoding: detectUtf16(head), hasBom: false };
  if (await isUtf8File(path)) return { encoding: 'utf-8', hasBom: false };
  const sample = await sampleWords(path);
  const encoding = isMostlyUtf8(sample) ? 'utf-8' : await detectByWords(sample);
  return { encoding, hasBom: false };
}

/** The encoding of a label, and whether the head starts with its byte order mark. */
export function namedEncoding(label: string, head: Buffer): TextEncoding {
  let encoding: string;
  try {
    ({ encoding } = new TextDecoder(label));
  } catch {
    throw unreadable(
      `The encoding "${label.slice(0, 40)}" is unknown. Expected a label such as utf-8, windows-1252 or shift_jis.`,
    );
  }
  return { encoding, hasBom: encodingOfMark(head) === encoding };
}

function encodingOfMark(head: Buffer): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** Detects the byte order: separators, digits and line breaks have a zero byte, always on the same side. */
function detectUtf16(head: Buffer): string {
  let even = 0;
  let odd = 0;
  for (const [index, byte] of head.entries()) {
    if (byte === 0 && index % 2 === 0) even += 1;
    else if (byte === 0) odd += 1;
  }
  if (even > 0 && odd > 0) {
    throw unreadable('The list is a binary file. Expected CSV, JSON lines or XLSX.');
  }
  return odd > 0 ? 'utf-16le' : 'utf-16be';
}

async function isUtf8File(path: string): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.length - unfinishedBytes(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return false;
    rest = bytes.subarray(end);
  }
  return rest.length === 0;
}

/** Number of bytes at the end that start a UTF-8 sequence, which the next chunk completes. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? back : 0;
  }
  return 0;
}

/** Reads the first cells with bytes beyond ASCII. Splits cells at bytes that no encoding uses inside a letter. */
async function sampleWords(path: string): Promise<Buffer> {
  const words: string[] = [];
  let length = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const word of chunk.toString('latin1').split(/[\r\n\t,;"]+/)) {
      if (!/[\x80-\xff]/.test(word)) continue;
      words.push(word.slice(0, sampleBytesMax));
      length += word.length + 1;
      if (length > sampleBytesMax) return Buffer.from(words.join('\n'), 'latin1');
    }
  }
  return Buffer.from(words.join('\n'), 'latin1');
}

/** Whether a sample is UTF-8 with damaged letters. One wrong byte must not garble all names. */
function isMostlyUtf8(sample: Buffer): boolean {
  const text = sample.toString('latin1');
  const sequences = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
  const whole = text.match(sequences)?.length ?? 0;
  const damaged = text.replaceAll(sequences, '').match(/[\x80-\xff]/g)?.length ?? 0;
  return whole > (whole + damaged) * utf8PartMin;
}

async function detectByWords(sample: Buffer): Promise<string> {
  // Loaded at the first use, because its tables take 100 ms and 40 MB.
  const { detectAll } = await import('jschardet');
  const scores = new Map(
    detectAll(sample, { minimumThreshold: 0, detectEncodings: Object.keys(candidates) }).map(
      ({ encoding, confidence }) => [candidates[encoding ?? ''], confidence],
    ),
  );
  const western = scores.get('windows-1252') ?? 0;
  const [best = 'windows-1252', score = 0] = [...scores][0] ?? [];
  if (score > western * westernAdvantage && differ(sample, best)) return best;
  const isTurkish =
    /[\xd0\xdd\xde\xf0\xfd\xfe]/.test(sample.toString('latin1')) &&
    (scores.get('windows-1254') ?? 0) > western * turkishPartMin;
  return isTurkish ? 'windows-1254' : 'windows-1252';
}

/** Whether the encoding gives another text than Windows-1252. A single ü is the same in many encodings. */
function differ(sample: Buffer, encoding: string): boolean {
  return (
    new TextDecoder(encoding).decode(sample) !== new TextDecoder('windows-1252').decode(sample)
  );
}
