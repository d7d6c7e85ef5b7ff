/** Detects the encoding of a text file by its byte order mark, its bytes, or what its letters would spell. */
import { isUtf8 } from 'node:buffer';
import { unreadable, type EncodingDoubt } from '../list.ts';
import { piecesOf, scorePieces } from './reading-score.ts';
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
 * Difference of the logarithms of the probabilities of two readings below which a person decides. In 20,000 lists of
 * `test/mailings/lists/encodings`, no reading above it was wrong in lists of fewer than 20 names.
 */
const sureLog = 12;
/** The same for the cells alone in which the two readings differ: all others speak for neither. */
const rivalLog = 5;
/** Readings of a doubt, and cells of each reading, in UTF-16 units at most. */
const doubtReadingsMax = 3;
const doubtCellsMax = 5;
const doubtCellUnitsMax = 100;

/** Cells that choose the encodings worth a closer look, and how far these are from the best. */
const firstCells = 40;
const finalistLog = 40;

const lineFeed = Buffer.from('\n');

/** Detects the encoding. Reads the whole file, unless a zero byte decides. */
export async function detectEncoding(path: string, head: Buffer): Promise<TextEncoding> {
  const marked = encodingOfMark(head);
  if (marked !== undefined) return withStray(path, { encoding: marked, hasBom: true });
  if (head.includes(0)) return { encoding: detectUtf16(head), hasBom: false };
  if (hasJapaneseShift(head)) return { encoding: 'iso-2022-jp', hasBom: false };
  if (await isUtf8File(path)) return { encoding: 'utf-8', hasBom: false };
  const cells = await sampleCells(path);
  const ranked = rankReadings(cells);
  if (labelOf(ranked) === 'utf-8') return withStray(path, { encoding: 'utf-8', hasBom: false });
  const readings = contestBest(ranked, cells);
  const encoding = labelOf(readings);
  const doubt = doubtOf(readings, cells);
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

/** Whether a text changes to Japanese letters as ISO-2022-JP does: it has bytes of ASCII alone, and would be UTF-8. */
function hasJapaneseShift(head: Buffer): boolean {
  return head.includes('\u001B$B') || head.includes('\u001B$@');
}

/** Adds the likely encoding of bytes that are not UTF-8. */
async function withStray(path: string, found: TextEncoding): Promise<TextEncoding> {
  if (found.encoding !== 'utf-8' || (await isUtf8File(path))) return found;
  const cells = await sampleCells(path, (cell) => !isUtf8(cell));
  const strayEncoding = labelOf(rankReadings(cells, listEncodings));
  return { ...found, strayEncoding };
}

/** What the cells say in some encodings. */
interface Reading {
  /** The most usual one first. */
  encodings: readonly ListEncoding[];
  texts: readonly string[];
  log: number;
}

/** Readings of the cells that come into question, the likeliest first. */
function rankReadings(
  cells: readonly Buffer[],
  encodings: readonly ListEncoding[] = candidatesOf(cells),
): Reading[] {
  const first = rankAll(cells.slice(0, firstCells), encodings);
  if (cells.length <= firstCells) return first;
  const left = new Set(first.flatMap((reading) => reading.encodings));
  return rankAll(
    cells,
    encodings.filter((encoding) => left.has(encoding)),
  );
}

/** Reads all cells in each encoding, and leaves out readings that are far from the best. */
function rankAll(cells: readonly Buffer[], encodings: readonly ListEncoding[]): Reading[] {
  const bytes = Buffer.concat(cells.flatMap((cell) => [cell, lineFeed]));
  const byText = Map.groupBy(encodings, ({ label }) => decodeWhole(bytes, label));
  const readings: Reading[] = [];
  let best = -Infinity;
  for (const [text, group] of byText) {
    const texts = text.split('\n').slice(0, cells.length);
    const log = scorePieces(piecesOf(texts), togetherOf(group), best - finalistLog);
    if (log === undefined) continue;
    best = Math.max(best, log);
    readings.push({ encodings: group, texts, log });
  }
  return readings
    .filter(({ log }) => log >= best - finalistLog)
    .toSorted((one, other) => other.log - one.log);
}

/**
 * Adds readings that are near the best one, or better, in the cells in which the two differ. Cells that both read alike
 * say which languages the list has, and an encoding of fewer languages would lose by them alone: Turkish names in a
 * Dutch list of ISO 8859-15 are no reason for Windows-1254 and `5 ¤`.
 */
function contestBest(readings: readonly Reading[], cells: readonly Buffer[]): readonly Reading[] {
  const [best] = readings;
  if (best === undefined) return readings;
  const bytes = Buffer.concat(cells.flatMap((cell) => [cell, lineFeed]));
  let contested = [...readings];
  for (const encoding of listEncodings) {
    if (best.encodings.includes(encoding)) continue;
    const texts = decodeWhole(bytes, encoding.label).split('\n').slice(0, cells.length);
    const lead = leadOf({ encodings: [encoding], texts }, best);
    if (lead === undefined) continue;
    contested = contested.filter(({ encodings }) => !encodings.includes(encoding));
    const log = best.log + (lead > sureLog ? lead : 0);
    contested.push({ encodings: [encoding], texts, log });
  }
  return contested.toSorted((one, other) => other.log - one.log);
}

/** By how much a reading is likelier than the best one in the cells in which they differ; undefined if it is far. */
function leadOf(rival: Omit<Reading, 'log'>, best: Reading): number | undefined {
  const differing = [...best.texts.keys()].filter((at) => rival.texts[at] !== best.texts[at]);
  if (differing.length === 0) return undefined;
  const { languages } = togetherOf([...rival.encodings, ...best.encodings]);
  const logOf = ({ encodings, texts }: Omit<Reading, 'log'>, floor: number): number | undefined =>
    scorePieces(
      piecesOf(differing.map((at) => texts[at] ?? '')),
      { ...togetherOf(encodings), languages },
      floor,
    );
  const floor = (logOf(best, -Infinity) ?? -Infinity) - rivalLog;
  const log = logOf(rival, floor);
  return log !== undefined && log > floor ? log - floor - rivalLog : undefined;
}

/** Encodings in which the cells are the same: their languages, and the greatest frequency. */
function togetherOf(group: readonly ListEncoding[]): Omit<ListEncoding, 'label'> {
  return {
    languages: [...new Set(group.flatMap(({ languages }) => languages))],
    frequency: Math.max(...group.map(({ frequency }) => frequency)),
    lostLog: Math.max(...group.map(({ lostLog }) => lostLog)),
  };
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
function doubtOf(
  readings: readonly Reading[],
  cells: readonly Buffer[],
): EncodingDoubt | undefined {
  const best = readings[0];
  if (best === undefined) return undefined;
  const near = readings.filter(({ log }) => log >= best.log - sureLog).slice(0, doubtReadingsMax);
  if (near.length === 1) return undefined;
  const differing = [...cells.keys()]
    .filter((at) => near.some(({ texts }) => texts[at] !== best.texts[at]))
    .slice(0, doubtCellsMax);
  return {
    readings: near.map((reading) => ({
      encoding: labelOf([reading]),
      cells: differing.map((at) => (reading.texts[at] ?? '').slice(0, doubtCellUnitsMax)),
    })),
  };
}
