/** Finds rows for the contact sheet: the longest, the shortest, one of each script, and examples of each problem. */
import type { ResolvedValues } from '../../../render/values.ts';
import type { PublishedTemplate } from '../../../store/published-cache.ts';
import type { Problem, ProblemCode } from '../campaign.ts';

/** A row, and the length of its texts in UTF-16 units. */
interface Measured {
  row: number;
  length: number;
}

/** Plain data, so that a checkpoint can store it. */
export interface Extremes {
  longest: Measured[];
  shortest: Measured[];
  /** The first row of each script. */
  scripts: Record<string, number>;
  /** The first rows of each problem. */
  problems: Partial<Record<ProblemCode, number[]>>;
}

/** Upper bound of the rows of each kind. */
const rowsMax = 3;

/** Scripts of people's names, by their Unicode names. */
const scripts = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Ethiopic',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
].map((name) => [name, new RegExp(String.raw`\p{Script=${name}}`, 'u')] as const);

const isAscii = /^[\u0000-\u007f]*$/; // oxlint-disable-line no-control-regex -- all of ASCII

export function emptyExtremes(): Extremes {
  return { longest: [], shortest: [], scripts: {}, problems: {} };
}

/** Adds a row. Rows are added in order, so that the earlier one of equals is kept. */
export function noteRow(
  extremes: Extremes,
  row: number,
  text: string,
  problems: readonly Problem[],
): void {
  const length = text.length;
  if (length > (extremes.longest.at(-1)?.length ?? -1) || extremes.longest.length < rowsMax) {
    insert(extremes.longest, { row, length }, (a, b) => b.length - a.length);
  }
  if (
    length < (extremes.shortest.at(-1)?.length ?? Infinity) ||
    extremes.shortest.length < rowsMax
  ) {
    insert(extremes.shortest, { row, length }, (a, b) => a.length - b.length);
  }
  for (const script of scriptsOf(text)) extremes.scripts[script] ??= row;
  for (const code of new Set(problems.map((problem) => problem.code))) {
    const rows = (extremes.problems[code] ??= []);
    if (rows.length < rowsMax) rows.push(row);
  }
}

function insert(
  list: Measured[],
  measured: Measured,
  compare: (a: Measured, b: Measured) => number,
): void {
  list.push(measured);
  // Stable: an earlier row stays before a later one of the same length.
  list.sort(compare);
  if (list.length > rowsMax) list.pop();
}

function scriptsOf(text: string): string[] {
  if (isAscii.test(text)) return /[A-Za-z]/.test(text) ? ['Latin'] : [];
  return scripts.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);
}

/** Concatenates the texts of a row. */
export function textOf(values: ResolvedValues, { variables }: PublishedTemplate): string {
  let text = '';
  for (const [name, value] of values) {
    const type = variables.get(name)?.type;
    if (type === 'text' || type === 'list') text += value;
  }
  return text;
}
