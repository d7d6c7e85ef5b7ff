/** The table of value formats. Validation, the documentation and the studio read it. */
import {
  dateParts,
  isFinelyRelative,
  prepareDate,
  prepareRelative,
  prepareTime,
} from './date-formats.ts';
import type { DateContext } from './date-formats.ts';
import type { DecimalSign } from './read-number.ts';
import { graphemesOf, knownLanguage } from './intl.ts';
import { initialsOf, nameCase, titleCase } from './name-case.ts';
import {
  inDigitsOf,
  plainNumber,
  prepareCurrency,
  prepareNumber,
  preparePercent,
  preparePlural,
} from './number-formats.ts';
import type { WriteText } from './number-formats.ts';
import { mapRange, parseRange } from './range-format.ts';
import type { ValueRange } from './range-format.ts';
import { parseNumberText } from './scalar-text.ts';
import type { ClockUnit } from './zoned-time.ts';

/** The inputs of formats besides the value. */
export interface FormatContext extends DateContext {
  /** Collects a sentence for each value that a format cannot take. */
  problems: string[];
  /** Names of live values that are numbers: texts have them in the digits of the language. */
  liveNumbers?: ReadonlySet<string>;
  /** Variables of the type text: `documentLang` decides between two readings of a number. */
  textNames?: ReadonlySet<string>;
}

/** A format with its argument. */
export interface PreparedFormat {
  /** Returns undefined for a value that the format cannot take. */
  write: (text: string, context: DateContext, decimal?: DecimalSign) => string | undefined;
  /** Whether the format also takes an empty value. Others leave it empty. */
  takesEmpty?: true;
  /** The unit of the clock that the format needs. */
  clock?: ClockUnit;
  /** The currency (ISO 4217) of `currency`. */
  currency?: string;
  range?: ValueRange;
}

/** The kind of a formatted value: a text, a number, a colour, or that of the value before. */
export type FormatResult = 'text' | 'number' | 'color' | 'same';

/** A row of the table. */
export interface ValueFormat {
  /** The accepted values, in words. */
  takes: string;
  /** Description of the result, for people. */
  meaning: string;
  /** The argument in words; absent for a format without one. */
  argument?: string;
  /** A valid argument for examples. Empty if the argument may be left out. */
  sample: string;
  /** A value and its result in English. */
  example: readonly [value: string, written: string];
  /** Maximum code points that the format adds to a value, besides those of its argument. */
  adds: number;
  /** CPU time of a code point of the most expensive value, in µs (measured). Absent: only short values are read. */
  codePointUs?: number;
  /** Prepares the format with an argument; undefined for an invalid argument. */
  prepare: (argument: string) => PreparedFormat | undefined;
}

/** A format of value and language. */
function written(
  write: WriteText | undefined,
  properties: Partial<PreparedFormat> = {},
): PreparedFormat | undefined {
  return write && { ...properties, write: (text, { lang }, decimal) => write(text, lang, decimal) };
}

/** A format without an argument, for any text. */
function plain(write: (text: string, lang: string) => string): ValueFormat['prepare'] {
  return (argument) => (argument === '' ? written(write) : undefined);
}

const truncateMax = 2000;

function prepareTruncate(argument: string): PreparedFormat | undefined {
  const most = /^\d{1,4}$/.test(argument) ? Number(argument) : 0;
  if (most < 1 || most > truncateMax) return undefined;
  return written((text) => {
    let [kept, count] = ['', 0];
    for (const grapheme of graphemesOf(text)) {
      count += 1;
      if (count > most) return `${kept.trimEnd()}…`;
      kept += grapheme;
    }
    return text;
  });
}

function prepareRange(argument: string): PreparedFormat | undefined {
  const range = parseRange(argument);
  const prepared = written((text, _, decimal) => {
    const number = parseNumberText(plainNumber(text, decimal));
    return range === undefined || Number.isNaN(number) ? undefined : mapRange(number, range);
  });
  return range && prepared && { ...prepared, range };
}

function withContext(write: PreparedFormat['write'] | undefined): PreparedFormat | undefined {
  return write && { write };
}

function withClock(argument: string): PreparedFormat | undefined {
  const write = prepareRelative(argument);
  return write && { write, clock: isFinelyRelative(argument) ? 'minute' : 'day' };
}

/** Maximum digits of a padded number. */
const padMax = 10;

function preparePad(argument: string): PreparedFormat | undefined {
  const digits = argument === '' ? 2 : /^\d{1,2}$/.test(argument) ? Number(argument) : 0;
  if (digits < 1 || digits > padMax) return undefined;
  return written((text, lang) => {
    const [, sign = '', number] = /^([+-]?)(\d+)$/.exec(text.trim()) ?? [];
    return number && sign + inDigitsOf(lang, number.padStart(digits, '0'));
  });
}

function prepareDefault(argument: string): PreparedFormat | undefined {
  if (argument === '') return undefined;
  return { write: (text) => (text.trim() === '' ? argument : text), takesEmpty: true };
}

/** The formats by name. Only templates name formats; values of links are never interpreted. */
export const valueFormats: Readonly<Record<string, ValueFormat>> = {
  number: {
    takes: 'a number',
    meaning: 'the number with the separators of the language, and its decimals or so many',
    argument: 'nothing, or a number of decimals from 0 to 15',
    sample: '2',
    example: ['1299.5', '1,299.50'],
    adds: 32,
    prepare: (argument) => written(prepareNumber(argument)),
  },
  currency: {
    takes: 'a number without a currency or in this one',
    meaning:
      'an amount of money, with the decimals of the currency, with those of the value if it has more, or so many',
    argument: 'a currency of ISO 4217, and perhaps a number of decimals: EUR or EUR,0',
    sample: 'EUR',
    example: ['1299.5', '€1,299.50'],
    adds: 64,
    prepare: (argument) => {
      const found = prepareCurrency(argument);
      return found && written(found.write, { currency: found.currency });
    },
  },
  pad: {
    takes: 'a whole number',
    meaning: 'the number with zeros in front, so that it has two digits, or so many',
    argument: `nothing, or a number of digits from 1 to ${padMax}`,
    sample: '2',
    example: ['7', '07'],
    adds: padMax,
    prepare: preparePad,
  },
  percent: {
    takes: 'a number',
    meaning: 'a part of one as a percentage, or of the number given; at most one decimal',
    argument: 'nothing, or the number that is 100 %',
    sample: '5',
    example: ['4', '80%'],
    adds: 32,
    prepare: (argument) => written(preparePercent(argument)),
  },
  plural: {
    takes: 'a number',
    meaning: 'one text of several, by the plural rules of the language; # is the number',
    argument:
      'pairs of a category (zero, one, two, few, many, other) and a text without commas, with other among them: one,# item,other,# items',
    sample: 'one,# item,other,# items',
    example: ['2', '2 items'],
    adds: 512,
    prepare: (argument) => written(preparePlural(argument)),
  },
  range: {
    takes: 'a number',
    meaning:
      'maps the number from one range to another, or to a colour between two; a number outside counts as the nearest end',
    argument:
      'two different numbers and what each becomes, two numbers or two colours: 0,100,0,400 or 0,100,#ff0000,#00ff00; after numbers perhaps the decimals from 0 to 4',
    sample: '0,100,0,400',
    example: ['25', '100'],
    adds: 32,
    prepare: prepareRange,
  },
  date: {
    takes: 'a date',
    meaning: 'the date in a style or with the parts of the argument, as the language orders them',
    argument: `nothing, short, medium, long, full, or a list of parts: ${Object.keys(dateParts).join(', ')}`,
    sample: 'weekday,day,month',
    example: ['2026-11-27', 'Friday, November 27'],
    adds: 80,
    prepare: (argument) => withContext(prepareDate(argument)),
  },
  time: {
    takes: 'a date with a time',
    meaning: 'the time of day, as the language writes it or with 12 or 24 hours',
    argument: 'nothing, 12 or 24',
    sample: '24',
    example: ['2026-11-27T18:30', '18:30'],
    adds: 40,
    prepare: (argument) => withContext(prepareTime(argument)),
  },
  relative: {
    takes: 'a date',
    meaning: 'the distance from the time of the render: tomorrow, in 3 days, 2 months ago',
    argument:
      'nothing or day; hour or minute, which both write hours within a day of the date, and minutes within an hour',
    sample: 'day',
    example: ['2026-11-27', 'in 4 days'],
    adds: 60,
    prepare: withClock,
  },
  upper: {
    takes: 'any value',
    meaning: 'all capitals, by the rules of the language',
    sample: '',
    example: ['Amanda', 'AMANDA'],
    adds: 0,
    codePointUs: 0.1,
    prepare: plain((text, lang) => text.toLocaleUpperCase(knownLanguage(lang))),
  },
  lower: {
    takes: 'any value',
    meaning: 'all small letters',
    sample: '',
    example: ['AMANDA', 'amanda'],
    adds: 0,
    codePointUs: 0.1,
    prepare: plain((text, lang) => text.toLocaleLowerCase(knownLanguage(lang))),
  },
  title: {
    takes: 'any value',
    meaning: 'a capital at the beginning of each word, the rest small letters',
    sample: '',
    example: ['summer SALE', 'Summer Sale'],
    adds: 0,
    codePointUs: 0.7,
    prepare: plain(titleCase),
  },
  name: {
    takes: 'any value',
    meaning:
      'a name in capitals alone or small letters alone, as people write it; a word with both stays as it is',
    sample: '',
    example: ['JEAN-PIERRE VAN DER BERG', 'Jean-Pierre van der Berg'],
    adds: 0,
    codePointUs: 0.7,
    prepare: plain(nameCase),
  },
  initials: {
    takes: 'any value',
    meaning: 'the first letters of the first and the last word, but for titles',
    sample: '',
    example: ['Amanda Maria Smith', 'AS'],
    adds: 0,
    codePointUs: 0.2,
    prepare: plain(initialsOf),
  },
  truncate: {
    takes: 'any value',
    meaning: 'the first characters, and … if there are more',
    argument: `a number of characters from 1 to ${truncateMax}`,
    sample: '5',
    example: ['Maximilian', 'Maxim…'],
    adds: 1,
    codePointUs: 0.5,
    prepare: prepareTruncate,
  },
  default: {
    takes: 'any value',
    meaning: 'this text in place of an empty value',
    argument: 'a text',
    sample: 'friend',
    example: ['', 'friend'],
    adds: 512,
    codePointUs: 0.1,
    prepare: prepareDefault,
  },
};

/** The kind of a format's result, which decides which properties accept it. */
export function resultOf(name: string, { range }: PreparedFormat): FormatResult {
  if (range !== undefined) return typeof range.to[0] === 'string' ? 'color' : 'number';
  return name === 'default' ? 'same' : 'text';
}
