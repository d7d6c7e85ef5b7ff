/** Formats the number of a spreadsheet's cell as text, by the cell's number format (ECMA-376 part 1, 18.8.30). */

import { workbookLimits } from '../list-limits.ts';

/** The properties of a number format that lists use. */
export interface CellFormat {
  kind: 'number' | 'date' | 'duration';
  /** Minimum number of digits of a format that has only zeros, such as 00000 for a postal code; else 0. */
  digits: number;
  hasDate: boolean;
  hasTime: boolean;
  hasSeconds: boolean;
}

export const plainFormat: CellFormat = {
  kind: 'number',
  digits: 0,
  hasDate: false,
  hasTime: false,
  hasSeconds: false,
};

/** Built-in formats that are dates or times; 27 to 36 and 50 to 58 are dates of East Asian versions. */
const builtInCodes: Readonly<Record<number, string>> = {
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy h:mm',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
};

/** The format of an id. `code` is the workbook's format with this id, if there is one. */
export function readFormat(id: number, code: string | undefined): CellFormat {
  const isEastAsianDate = (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return parseFormat(code ?? builtInCodes[id] ?? (isEastAsianDate ? 'yyyy-mm-dd' : ''));
}

function parseFormat(code: string): CellFormat {
  // Removes texts, escapes, colours and conditions, and keeps the first section, which is for positive numbers.
  const bare = code
    .slice(0, workbookLimits.nameCharactersMax)
    .replaceAll(/"[^"]*"?|[\\_*]./g, '')
    .replaceAll(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '');
  const [first = ''] = bare.toLowerCase().split(';');
  if (/^0+$/.test(first)) return { ...plainFormat, digits: first.length };
  const letters = first.replaceAll(/am\/pm|a\/p|general/g, '');
  const hasSeconds = letters.includes('s');
  if (/\[[hms]+\]/.test(letters)) return { ...plainFormat, kind: 'duration', hasSeconds };
  const hasTime = hasSeconds || letters.includes('h');
  const hasDate = /[yd]/.test(letters) || (letters.includes('m') && !hasTime);
  if (!hasDate && !hasTime) return plainFormat;
  return { kind: 'date', digits: 0, hasDate, hasTime, hasSeconds };
}

export const daySeconds = 86_400;
/** 9999-12-31, the last day that a spreadsheet supports. */
export const lastDay = 2_958_465;

/**
 * Formats a date as `2026-11-27`, a date with a time as `2026-11-27T18:30`, a time as `18:30`, and a duration as
 * `26:30`. Adds seconds if the format has them. Formats any other number with the 15 digits that a spreadsheet keeps: a
 * percentage of 15 is `0.15`, a price `1234.5`.
 */
export function formatNumber(stored: string, format: CellFormat, is1904: boolean): string {
  const value = Number(stored);
  if (stored.trim() === '' || !Number.isFinite(value)) return stored;
  if (format.kind === 'number' || value < 0 || value > lastDay) {
    const text = plainNumber(value);
    return /^\d+$/.test(text) ? text.padStart(format.digits, '0') : text;
  }
  const seconds = wholeSeconds(stored);
  const time = clockTime(seconds, format);
  if (format.kind === 'duration' || !format.hasDate) return time;
  const date = isoDate(Math.floor(seconds / daySeconds), is1904);
  return format.hasTime ? `${date}T${time}` : date;
}

/** Formats a number with 15 digits, without an exponent below 1e21. */
export function plainNumber(value: number): string {
  const rounded = Number(value.toPrecision(15));
  const text = String(rounded);
  return /e-/.test(text) ? rounded.toFixed(20).replace(/0+$/, '') : text;
}

/**
 * The seconds that have passed at a stored date. A part of a second is cut, so that 23:59:59.999 stays in its day, its
 * hour and its minute, as spreadsheets show it. A number that is a whole second within its last digit, or within half a
 * millisecond, is that second.
 */
function wholeSeconds(stored: string): number {
  const exact = Number(stored) * daySeconds;
  const nearest = Math.round(exact);
  const decimals = /\.(\d+)/.exec(stored)?.[1]?.length ?? 0;
  const slack = Math.max(0.0005, (daySeconds / 2) * 10 ** -decimals);
  return Math.abs(exact - nearest) <= slack ? nearest : Math.floor(exact);
}

/** Formats the time of a day, or a duration, as `08:05` or `08:05:30`. */
export function clockTime(seconds: number, { kind, hasSeconds }: CellFormat): string {
  const inDay = kind === 'duration' ? seconds : seconds % daySeconds;
  const parts = [Math.floor(inDay / 3600), Math.floor(inDay / 60) % 60];
  if (hasSeconds) parts.push(inDay % 60);
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function isoDate(day: number, is1904: boolean): string {
  // Lotus 1-2-3 treated 1900 as a leap year, and Excel kept its day 60.
  if (!is1904 && day === 60) return '1900-02-29';
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < 60 ? 31 : 30);
  return new Date(epoch + day * daySeconds * 1000).toISOString().slice(0, 10);
}
