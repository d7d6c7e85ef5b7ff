/** Opens a list and detects its kind from its content and its media type. */
import { open } from 'node:fs/promises';
import { openCsv } from './csv/open-csv.ts';
import { openJsonDocument } from './json/json-document.ts';
import { openJsonLines } from './json/json-lines.ts';
import { objectDocument } from './json/wrapped-list.ts';
import { formatCount, tooLarge, unreadable, type List, type ListOptions } from './list.ts';
import { listLimits } from './list-limits.ts';
import { detectEncoding, namedEncoding } from './text/detect-encoding.ts';
import type { TextEncoding } from './text/detect-encoding.ts';
import { decodeWhole } from './text/text-encodings.ts';
import { isFlatFile } from './ods/flat-file.ts';
import { openOds } from './ods/open-ods.ts';
import { isVcard, openVcard } from './vcard/open-vcard.ts';
import { openXlsx } from './xlsx/open-xlsx.ts';

/** Bytes of the start of the file from which the kind and the encoding are detected. */
const headBytes = 4096;

/** Unsupported files by their first bytes in hexadecimal, with the end of an error message. */
const otherFiles: readonly (readonly [bytes: string, message: string])[] = [
  [
    'd0cf11e0a1b11ae1',
    'an Excel file of the old format (.xls), or one with a password. Save it as .xlsx without a password, or as CSV',
  ],
  ['1f8b', 'compressed with gzip. Decompress it'],
  ['25504446', 'a PDF. Export the list as CSV'],
];

/**
 * Opens a list. The file must not change while its rows are read. Throws an `AppError` that describes the problem and
 * its position.
 */
export async function openList(path: string, options: ListOptions = {}): Promise<List> {
  const { head, bytes } = await readHead(path);
  if (bytes > listLimits.fileBytesMax) {
    throw tooLarge(
      `The list has ${formatCount(bytes)} bytes, at most ${formatCount(listLimits.fileBytesMax)}. Split the list.`,
    );
  }
  if (head.toString('latin1', 0, 4) === 'PK\x03\x04') {
    return isOds(head)
      ? openOds(path, bytes, { ...options, isFlat: false })
      : openXlsx(path, bytes, options);
  }
  const start = head.toString('hex', 0, 8);
  const other = otherFiles.find(([signature]) => start.startsWith(signature));
  if (other !== undefined) throw unreadable(`The list is ${other[1]}.`);
  const type = readContentType(options.contentType);
  const label = options.encoding ?? type.charset;
  const encoding = await (label === undefined
    ? detectEncoding(path, head)
    : namedEncoding(path, label, head));
  const text = decodeWhole(head, encoding.encoding).trimStart();
  if (isFlatFile(text)) return openOds(path, bytes, { ...options, isFlat: true });
  if (/^<(?:\?xml|!doctype|html|table)\b/i.test(text)) {
    throw unreadable(
      'The list is XML or a web page, as some programs export it with the ending .xls. Open it in a spreadsheet program, and save it as .xlsx or CSV.',
    );
  }
  const list = await openText(path, bytes, { text, encoding, type, options });
  const { doubt } = encoding;
  return doubt === undefined ? list : { ...list, encodingDoubt: doubt };
}

/** Opens a text file by its start. */
async function openText(
  path: string,
  bytes: number,
  {
    text,
    encoding,
    type,
    options,
  }: { text: string; encoding: TextEncoding; type: ContentType; options: ListOptions },
): Promise<List> {
  if (isVcard(text)) return openVcard(path, bytes, encoding);
  const hasHeader = options.hasHeader ?? type.hasHeader;
  const header = hasHeader === undefined ? {} : { hasHeader };
  if (/^\[\s*[[\]{]/.test(text) || (type.isJson && text.startsWith('['))) {
    return openJsonDocument(path, bytes, encoding, header);
  }
  if (/^\{\s*[\r\n]/.test(text)) throw objectDocument(text);
  if (type.isJson || /^\{\s*"/.test(text)) return openJsonLines(path, bytes, encoding, type);
  if (options.separator !== undefined && !/^[^"'\r\n]$/.test(options.separator)) {
    throw unreadable(
      `The separator is "${options.separator.slice(0, 20)}", expected one character such as "," or ";".`,
    );
  }
  const { separator } = options;
  return openCsv(path, bytes, encoding, {
    ...header,
    ...(separator !== undefined && { separator }),
    isTabbed: type.isTabbed,
  });
}

async function readHead(path: string): Promise<{ head: Buffer; bytes: number }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return { head: buffer.subarray(0, bytesRead), bytes: size };
  } finally {
    await file.close();
  }
}

/** Whether a ZIP file starts as an OpenDocument spreadsheet does: with its type, uncompressed. */
function isOds(head: Buffer): boolean {
  return head.toString('latin1', 0, 200).includes('mimetypeapplication/vnd.oasis.opendocument.');
}

interface ContentType {
  /** JSON of any form. */
  isJson: boolean;
  /** One JSON document, and no JSON lines. */
  isDocument: boolean;
  isTabbed: boolean;
  charset?: string;
  hasHeader?: boolean;
}

function readContentType(contentType = ''): ContentType {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType)?.[1];
  const header = /;\s*header="?(present|absent)\b/i.exec(contentType)?.[1];
  return {
    isJson: /^\s*application\/(?:x-)?(?:ndjson|jsonl(?:ines)?|json)\b/i.test(contentType),
    isDocument: /^\s*application\/json\b/i.test(contentType),
    isTabbed: /^\s*text\/tab-separated-values\b/i.test(contentType),
    ...(charset !== undefined && { charset }),
    ...(header !== undefined && { hasHeader: header.toLowerCase() === 'present' }),
  };
}
