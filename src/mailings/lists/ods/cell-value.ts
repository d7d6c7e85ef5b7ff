/** The value of a cell of an ODS as text, as that of an XLSX (OpenDocument 1.3 part 3, 19.383 to 19.387). */
import {
  clockTime,
  daySeconds,
  formatNumber,
  lastDay,
  plainFormat,
  plainNumber,
  type CellFormat,
} from '../workbook/number-format.ts';

/** `text` is what the cell shows. `format` is undefined for a cell without a number format. */
export function cellValue(
  attributes: Readonly<Record<string, string>>,
  text: string,
  format: CellFormat | undefined,
): string {
  switch (attributes['office:value-type']) {
    case 'float':
      return formatNumber(attributes['office:value'] ?? text, format ?? plainFormat, false);
    case 'percentage':
    case 'currency':
      return formatNumber(attributes['office:value'] ?? text, plainFormat, false);
    case 'date':
      return dateValue(attributes['office:date-value'] ?? text, format);
    case 'time':
      return timeValue(attributes['office:time-value'] ?? text, format);
    case 'boolean':
      return booleanValue(attributes['office:boolean-value'] ?? text);
    default:
      // A formula that failed has an empty value, and shows the error.
      return attributes['office:string-value'] || text;
  }
}

function booleanValue(value: string): string {
  if (value === '') return '';
  return value === 'true' ? 'TRUE' : 'FALSE';
}

/** A text that is no date stays as it is. */
function dateValue(value: string, format: CellFormat | undefined): string {
  const [, year, month, day, time, hours = 0, minutes = 0, seconds = 0] =
    /^(\d{4})-(\d\d)-(\d\d)(T(\d\d):(\d\d):(\d\d(?:[.,]\d+)?))?Z?$/.exec(value) ?? [];
  if (year === undefined) return value;
  const date = new Date(Date.UTC(2000, Number(month) - 1, Number(day)));
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const inDay = Number(hours) * 3600 + Number(minutes) * 60 + wholeSeconds(String(seconds));
  // A time that is a whole second but for its last digits may be the next day.
  const [iso = ''] = new Date(date.getTime() + inDay * 1000).toISOString().split('T');
  const shown: CellFormat =
    format?.kind === 'date'
      ? format
      : { ...plainFormat, kind: 'date', hasDate: true, hasTime: time !== undefined };
  if (!shown.hasDate && shown.hasTime) return clockTime(inDay, shown);
  return shown.hasTime ? `${iso}T${clockTime(inDay, shown)}` : iso;
}

/** A text that is no time stays as it is. A negative time, and one that no spreadsheet supports, is a number of days. */
function timeValue(value: string, format: CellFormat | undefined): string {
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = 0] =
    /^(-)?P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?$/.exec(value) ?? [];
  if (!/^-?P.*\d/.test(value) || Number.isNaN(Number(days))) return value;
  const total =
    Number(days) * daySeconds +
    Number(hours) * 3600 +
    Number(minutes) * 60 +
    wholeSeconds(String(seconds));
  const inDays = (sign === undefined ? total : -total) / daySeconds;
  if (inDays < 0 || inDays > lastDay) return plainNumber(inDays);
  const withoutFormat: CellFormat = {
    ...plainFormat,
    kind: 'duration',
    hasSeconds: total % 60 !== 0,
  };
  return clockTime(
    total,
    format === undefined || format.kind === 'number' ? withoutFormat : format,
  );
}

/** The seconds without their part, as spreadsheets show them. One within half a millisecond of the next is the next. */
function wholeSeconds(text: string): number {
  const seconds = Number(text.replace(',', '.'));
  const nearest = Math.round(seconds);
  return Math.abs(seconds - nearest) <= 0.0005 ? nearest : Math.floor(seconds);
}
