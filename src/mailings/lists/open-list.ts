/** Opens a list and detects its kind from its content: CSV, JSON lines or XLSX. */
import { open } from 'node:fs/promises';
import { openCsv } from './csv/open-csv.ts';
import { openJsonLines } from './json-lines.ts';
import { formatCount, tooLarge, unreadable, type List, type ListOptions } from './list.ts';
import { listLimits } from './list-limits.ts';
import { detectEncoding, namedEncoding } from './text/detect-encoding.ts';
import type { TextEncoding } from './text/detect-encoding.ts';
import { decodeWhole } from './text/text-encodings.ts';
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
  if (head.toString('latin1', 0, 4) === 'PK\x03\x04') return openXlsx(path, bytes, options);
  const start = head.toString('hex', 0, 8);
  const other = otherFiles.find(([signature]) => start.startsWith(signature));
  if (other !== undefined) throw unreadable(`The list is ${other[1]}.`);
  const type = readContentType(options.contentType);
  const label = options.encoding ?? type.charset;
  const encoding = await (label === undefined
    ? detectEncoding(path, head)
    : namedEncoding(path, label, head));
  const text = decodeWhole(head, encoding.encoding).trimStart();
  if (isJsonDocument(text)) {
    throw unreadable(
      'The list is one JSON document. Expected JSON lines, one object a line: `jq -c ".[]" list.json` writes them from an array.',
    );
  }
  if (type.isJson || /^\{\s*"/.test(text))
    return withDoubt(await openJsonLines(path, bytes, encoding), encoding);
  if (options.separator !== undefined && !/^[^"'\r\n]$/.test(options.separator)) {
    throw unreadable(
      `The separator is "${options.separator.slice(0, 20)}", expected one character such as "," or ";".`,
    );
  }
  const hasHeader = options.hasHeader ?? type.hasHeader;
  const list = await openCsv(path, bytes, encoding, {
    ...(options.separator !== undefined && { separator: options.separator }),
    ...(hasHeader !== undefined && { hasHeader }),
  });
  return withDoubt(list, encoding);
}

function withDoubt(list: List, { doubt }: TextEncoding): List {
  return doubt === undefined ? list : { ...list, encodingDoubt: doubt };
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

interface ContentType {
  isJson: boolean;
  charset?: string;
  hasHeader?: boolean;
}

function readContentType(contentType = ''): ContentType {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType)?.[1];
  const header = /;\s*header="?(present|absent)\b/i.exec(contentType)?.[1];
  return {
    isJson: /^\s*application\/(?:x-)?(?:ndjson|jsonl(?:ines)?|json)\b/i.test(contentType),
    ...(charset !== undefined && { charset }),
    ...(header !== undefined && { hasHeader: header.toLowerCase() === 'present' }),
  };
}

/** Whether the text starts an array of objects or of arrays, or an object over several lines. */
function isJsonDocument(text: string): boolean {
  return /^\[\s*[[\]{]/.test(text) || /^\{\s*[\r\n]/.test(text);
}
