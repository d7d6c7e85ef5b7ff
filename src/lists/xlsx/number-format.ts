/** Turns the number of a spreadsheet's cell into text, by the cell's number format (ECMA-376 part 1, 18.8.30). */

import { xlsxLimits } from '../list-limits.ts';

/** What a number format makes of a number, as far as a list keeps it. */
export interface CellFormat {
  kind: 'number' | 'date' | 'duration';
  /** Digits of a format of zeros alone, such as a postal code of 00000. */
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

/** `code` is the format of the workbook with this id, if it has one. */
export function readFormat(id: number, code: string | undefined): CellFormat {
  const isEastAsianDate = (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return parseFormat(code ?? builtInCodes[id] ?? (isEastAsianDate ? 'yyyy-mm-dd' : ''));
}

function parseFormat(code: string): CellFormat {
  // Of the sections for positive, negative and other numbers the first; without texts, escapes, colours and conditions.
  const bare = code
    .slice(0, xlsxLimits.nameCharactersMax)
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

const daySeconds = 86_400;
/** 9999-12-31, the last day of a spreadsheet. */
const lastDay = 2_958_465;

/**
 * A date as `2026-11-27`, with a time as `2026-11-27T18:30`, a time as `18:30`, a duration as `26:30`, with seconds
 * where the format has them. Any other number plain, with the 15 digits that a spreadsheet shows: a percentage of 15
 * is `0.15`, a price `1234.5`.
 */
export function formatNumber(stored: string, format: CellFormat, is1904: boolean): string {
  const value = Number(stored);
  if (stored.trim() === '' || !Number.isFinite(value)) return stored;
  if (format.kind === 'number' || value < 0 || value > lastDay) {
    const text = plainNumber(value);
    return /^\d+$/.test(text) ? text.padStart(format.digits, '0') : text;
  }
  const seconds = Math.round(value * daySeconds);
  const time = clockTime(seconds, format);
  if (format.kind === 'duration' || !format.hasDate) return time;
  const date = isoDate(Math.floor(seconds / daySeconds), is1904);
  return format.hasTime ? `${date}T${time}` : date;
}

/** Never with an exponent below 1e21; a spreadsheet stores no more than 15 digits. */
function plainNumber(value: number): string {
  const rounded = Number(value.toPrecision(15));
  const text = String(rounded);
  return /e-/.test(text) ? rounded.toFixed(20).replace(/0+$/, '') : text;
}

function clockTime(seconds: number, { kind, hasSeconds }: CellFormat): string {
  const inDay = kind === 'duration' ? seconds : seconds % daySeconds;
  const parts = [Math.floor(inDay / 3600), Math.floor(inDay / 60) % 60];
  if (hasSeconds) parts.push(inDay % 60);
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function isoDate(day: number, is1904: boolean): string {
  // Lotus 1-2-3 took 1900 for a leap year, and Excel kept its day 60.
  if (!is1904 && day === 60) return '1900-02-29';
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < 60 ? 31 : 30);
  return new Date(epoch + day * daySeconds * 1000).toISOString().slice(0, 10);
}
