/** Names of the files of a campaign: from a pattern with the cells of each row, safe in every file system. */
import { composed } from '#language/normal-form.ts';
import type { ErrorDetail } from '../../../../foundation/errors.ts';

/** The default pattern of a run. */
export const namesDefault = '{{row}}';

/** The placeholder of the row's number. It takes precedence over a column of this name. */
const rowName = 'row';

/** UTF-8 bytes of a name without its suffix and extension: file systems hold 255 in all. */
const nameBytesMax = 200;

/** A part of a pattern: a literal text, the cell of a column, or the row's number. */
type NamePart = { text: string } | { column: number | 'row' };

const placeholder = /\{\{(.*?)\}\}/s;

/** Finds the problems of a pattern: names of columns that the list does not have. */
export function namesProblems(pattern: string, columns: readonly string[]): ErrorDetail[] {
  const named = pattern.split(placeholder).filter((_, index) => index % 2 === 1);
  const unknown = named.filter((name) => columnOf(name, columns) === undefined);
  const known = [rowName, ...columns].map((name) => `{{${name}}}`).join(', ');
  return unknown.map((name) => ({
    path: 'names',
    message: `has "{{${name}}}", which is no column of the list; expected ${known}`,
  }));
}

function columnOf(name: string, columns: readonly string[]): number | 'row' | undefined {
  const trimmed = composed(name.trim());
  if (trimmed === rowName) return 'row';
  const index = columns.indexOf(trimmed);
  return index === -1 ? undefined : index;
}

/** Makes the name of each row, without an extension. Names of different rows may be equal. */
export function createNames(
  pattern: string,
  columns: readonly string[],
): (row: number, cells: readonly string[]) => string {
  const parts = pattern.split(placeholder).map((text, index): NamePart => {
    const column = index % 2 === 1 ? columnOf(text, columns) : undefined;
    return column === undefined ? { text } : { column };
  });
  return (row, cells) => {
    const texts = parts.map((part) => {
      if ('text' in part) return part.text;
      return part.column === 'row' ? String(row) : (cells[part.column] ?? '');
    });
    return safeName(texts.join('')) || String(row);
  };
}

/** Control characters, direction marks (which can hide an extension), and private or unassigned characters. */
const removed = /[\p{Cc}\p{Co}\p{Cn}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
/** Separators of paths, and characters that Windows forbids (Naming Files, Paths, and Namespaces). */
const refused = /[/\\:*?"<>|]/g;
/** Device names of Windows, with any extension. */
const device =
  /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9\u00B9\u00B2\u00B3])[. ]*(?:\.|$)/i;

/** Converts a text to the name of a file: NFC, without path parts; empty if no character of the text is allowed. */
export function safeName(text: string): string {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(removed, '')
    .replaceAll(refused, '_');
  const cut = cutBytes(trimDots(plain), nameBytesMax);
  const name = trimDots(cut);
  // A name that begins with a dash is an option of most programs.
  return device.test(name) || name.startsWith('-') ? `_${name}` : name;
}

/** Windows drops dots and spaces at the end; at the start, a dot hides the file. */
function trimDots(text: string): string {
  return text.replace(/^[. ]+/, '').replace(/[. ]+$/, '');
}

/** Cuts a text to `bytesMax` bytes of UTF-8, between two graphemes. */
function cutBytes(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  let [bytes, end] = [0, 0];
  for (const { segment, index } of graphemes.segment(text.slice(0, bytesMax))) {
    bytes += Buffer.byteLength(segment);
    if (bytes > bytesMax) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
