/** Detects the encoding of a text file by its byte order mark, its bytes, or what its letters would spell. */
import { isUtf8 } from 'node:buffer';
import { unreadable, type EncodingDoubt } from '../list.ts';
import { piecesOf, scorePieces, scoreSigns } from './reading-score.ts';
import { isUtf8File, sampleCells } from './sample-cells.ts';
import { damagedUtf8, decodeWhole, findEncoding, listEncodings } from './text-encodings.ts';
import type { ListEncoding } from './text-encodings.ts';

export interface TextEncoding {
  /** A label of the WHATWG Encoding Standard, or of `text-encodings.ts`. */
  encoding: string;
  hasBom: boolean;
  /** The likely encoding of bytes that are not UTF-8, in a file that else is. */
  strayEncoding?: string;
  doubt?: EncodingDoubt;
}

/**
 * Difference of the logarithms of the probabilities of two readings below which a person decides. Of 5,688 lists with
 * fewer than 20 names (`test/mailings/lists/encodings`, three seeds), no reading above it was wrong.
 */
const sureLog = 10;
/** Readings of a doubt, and cells of each reading, in UTF-16 units at most. */
const doubtReadingsMax = 3;
const doubtCellsMax = 5;
const doubtCellUnitsMax = 100;

/** Cells that choose the encodings worth a closer look, and how far these are from the best. */
const firstCells = 16;
const alikeCellsMax = 24;
const finalistLog = 40;

/** Frequency of encodings whose languages are looked for where rarer ones say the same. */
const usualFrequency = 0.2;

const lineFeed = Buffer.from('\n');

/** Detects the encoding. Reads the whole file, unless a zero byte decides. */
export async function detectEncoding(path: string, head: Buffer): Promise<TextEncoding> {
  const marked = encodingOfMark(head);
  if (marked !== undefined) return withStray(path, { encoding: marked, hasBom: true });
  const wide = head.includes(0) ? detectUtf16(head) : undefined;
  if (wide !== undefined) return { encoding: wide, hasBom: false };
  if (hasJapaneseShift(head)) return { encoding: 'iso-2022-jp', hasBom: false };
  if (await isUtf8File(path)) return { encoding: 'utf-8', hasBom: false };
  const cells = await sampleCells(path);
  let readings = rankReadings(cells);
  let encoding = labelOf(readings);
  if (encoding === 'utf-8')
    return { encoding, hasBom: false, strayEncoding: await findStray(path) };
  const others = cells.filter((cell) => !isUtf8(cell));
  if (others.length > 0 && others.length < cells.length) {
    // Some rows are UTF-8: they must not lead to an encoding that makes letters of their bytes.
    readings = rankReadings(others, listEncodings);
    encoding = labelOf(readings);
  }
  const doubt = doubtOf(readings);
  return { encoding, hasBom: false, ...(doubt !== undefined && { doubt }) };
}

/** The encoding of a label, and whether the head starts with its byte order mark. */
export async function namedEncoding(
  path: string,
  label: string,
  head: Buffer,
): Promise<TextEncoding> {
  const encoding = findEncoding(label);
  if (encoding === undefined) {
    throw unreadable(
      `The encoding "${label.slice(0, 40)}" is unknown. Expected a label such as utf-8, windows-1252, macintosh, cp850 or shift_jis.`,
    );
  }
  return withStray(path, { encoding, hasBom: encodingOfMark(head) === encoding });
}

function encodingOfMark(head: Buffer): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return undefined;
}

/**
 * Detects UTF-16 by its line feeds, which have a zero byte on one side, and by its zero bytes in a text without. Undefined
 * for a text with a zero byte, of which the reader says the line.
 */
function detectUtf16(head: Buffer): string | undefined {
  let even = 0;
  let odd = 0;
  for (const [index, byte] of head.entries()) {
    if (byte === 0 && index % 2 === 0) even += 1;
    else if (byte === 0) odd += 1;
  }
  const hasLineFeed = head.includes('\n\0') || head.includes('\0\n');
  if (!hasLineFeed && even + odd < head.length / 4) return undefined;
  if (even > 0 && odd > 0) {
    throw unreadable('The list is a binary file. Expected CSV, JSON lines or XLSX.');
  }
  return odd > 0 ? 'utf-16le' : 'utf-16be';
}

/** Whether a text changes to Japanese letters as ISO-2022-JP does: it has bytes of ASCII alone, and would be UTF-8. */
function hasJapaneseShift(head: Buffer): boolean {
  return head.includes('\u001B$B') || head.includes('\u001B$@');
}

/** Adds the likely encoding of bytes that are not UTF-8, to a file that may be UTF-8. */
async function withStray(path: string, found: TextEncoding): Promise<TextEncoding> {
  if (found.encoding !== 'utf-8' || (await isUtf8File(path))) return found;
  return { ...found, strayEncoding: await findStray(path) };
}

/** The likely encoding of the cells of a file that are not UTF-8. */
async function findStray(path: string): Promise<string> {
  const cells = await sampleCells(path, (cell) => !isUtf8(cell));
  return labelOf(rankReadings(cells, listEncodings));
}

/** What the cells say in some encodings. */
interface Reading {
  /** The most usual one first. */
  encodings: readonly ListEncoding[];
  texts: readonly string[];
  log: number;
}

/**
 * Readings of the cells that come into question, the likeliest first. Some cells say which encodings are read in all
 * cells. Their languages are then the same in each encoding: words that two readings have in common must speak for
 * neither.
 */
function rankReadings(
  cells: readonly Buffer[],
  encodings: readonly ListEncoding[] = candidatesOf(cells),
): Reading[] {
  const step = Math.max(1, cells.length / firstCells);
  const some = Array.from(
    { length: Math.min(cells.length, firstCells) },
    (_, index) => cells[Math.floor(index * step)] ?? lineFeed,
  );
  const first = rankAll(some, encodings);
  const left = new Set(first.flatMap((reading) => reading.encodings));
  const best = first[0]?.texts ?? [];
  const read = encodings.filter((each) => left.has(each) || isAlike(some, each, best));
  const languages = [...new Set(read.flatMap((each) => each.languages))];
  return rankAll(
    decidingCells(cells, read),
    read.map((each) => ({ ...each, languages })),
  );
}

/** The cells that encodings read differently, and some that they read alike, which say what languages the list has. */
function decidingCells(cells: readonly Buffer[], encodings: readonly ListEncoding[]): Buffer[] {
  const [first = '', ...others] = encodings.map(({ label }) => label);
  let alike = 0;
  return cells.filter((cell) => {
    const text = decodeWhole(cell, first);
    if (others.some((label) => decodeWhole(cell, label) !== text)) return true;
    alike += 1;
    return alike <= alikeCellsMax;
  });
}

/** Whether most of the first cells read the same: other cells decide, though the encoding has other languages. */
function isAlike(
  cells: readonly Buffer[],
  { label }: ListEncoding,
  texts: readonly string[],
): boolean {
  const alike = texts.filter((text, at) => decodeWhole(cells[at] ?? lineFeed, label) === text);
  return alike.length > texts.length / 2;
}

/** Reads all cells in each encoding, and leaves out readings that are far from the best. */
function rankAll(cells: readonly Buffer[], encodings: readonly ListEncoding[]): Reading[] {
  const bytes = Buffer.concat(cells.flatMap((cell) => [cell, lineFeed]));
  const byText = Map.groupBy(encodings, ({ label }) => decodeWhole(bytes, label));
  const unread = [...byText].map(([text, group]) => {
    const texts = text.split('\n').slice(0, cells.length);
    const pieces = piecesOf(texts);
    const together = togetherOf(group);
    return { encodings: group, texts, pieces, together, signs: scoreSigns(pieces, together) };
  });
  const readings: Reading[] = [];
  let best = -Infinity;
  // Where letters have become signs, the words need not be read.
  for (const each of unread.toSorted((one, other) => other.signs - one.signs)) {
    const log = scorePieces(each.pieces, each.together, each.signs, best - finalistLog);
    if (log === undefined) continue;
    best = Math.max(best, log);
    readings.push({ encodings: each.encodings, texts: each.texts, log });
  }
  return readings
    .filter(({ log }) => log >= best - finalistLog)
    .toSorted((one, other) => other.log - one.log);
}

/** Encodings in which the cells are the same: the languages of the usual ones, and the greatest frequency. */
function togetherOf(group: readonly ListEncoding[]): Omit<ListEncoding, 'label'> {
  return {
    languages: [...new Set(usualOf(group).flatMap(({ languages }) => languages))],
    frequency: Math.max(...group.map(({ frequency }) => frequency)),
    lostLog: Math.max(...group.map(({ lostLog }) => lostLog)),
  };
}

function usualOf(group: readonly ListEncoding[]): readonly ListEncoding[] {
  const usual = group.filter(({ frequency }) => frequency >= usualFrequency);
  return usual.length > 0 ? usual : group;
}

/** Damaged UTF-8 comes into question where it has letters beyond ASCII. */
function candidatesOf(cells: readonly Buffer[]): readonly ListEncoding[] {
  const letters = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;
  const hasUtf8 = cells.some((cell) => letters.test(cell.toString('latin1')));
  return hasUtf8 ? [...listEncodings, damagedUtf8] : listEncodings;
}

/** The label of the best reading. */
function labelOf([best]: readonly Reading[]): string {
  return best?.encodings[0]?.label ?? 'windows-1252';
}

/** The readings that are near the best one. */
function doubtOf(readings: readonly Reading[]): EncodingDoubt | undefined {
  const best = readings[0];
  if (best === undefined) return undefined;
  const near = readings.filter(({ log }) => log >= best.log - sureLog).slice(0, doubtReadingsMax);
  if (near.length === 1) return undefined;
  const differing = [...best.texts.keys()]
    .filter((at) => near.some(({ texts }) => texts[at] !== best.texts[at]))
    .slice(0, doubtCellsMax);
  return {
    readings: near.map((reading) => ({
      encoding: labelOf([reading]),
      cells: differing.map((at) => (reading.texts[at] ?? '').slice(0, doubtCellUnitsMax)),
    })),
  };
}
