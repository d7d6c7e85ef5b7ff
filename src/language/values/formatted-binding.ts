/** Reads, checks and applies the formats of a binding: `price | currency:EUR | default:free`. */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import { suggestName } from '../check/name-suggestions.ts';
import { currencyCodes } from './currencies.ts';
import { decimalSign } from './decimal-signs.ts';
import type { DecimalSign } from './read-number.ts';
import type { ValueRange } from './range-format.ts';
import { hasTwoReadings } from './read-number.ts';
import { resultOf, valueFormats } from './value-formats.ts';
import type { FormatContext, FormatResult, PreparedFormat } from './value-formats.ts';
import { clockUnits } from './zoned-time.ts';
import type { ClockUnit } from './zoned-time.ts';

/** Maximum number of formats of one binding. */
export const formatsMax = 5;
/** Maximum code points of a formatted value, the same as of a value in a link. */
const writtenCodePointsMax = 2000;

/** A binding with its formats, ready to apply. */
export interface FormattedBinding {
  /** Name of the variable. */
  name: string;
  formats: readonly (PreparedFormat & { name: string })[];
  /** The kind of the result. */
  result: FormatResult;
  /** The finest unit of the clock that a format needs. */
  clock: ClockUnit | undefined;
  /** The range of the last format. A property must accept both of its ends. */
  range: ValueRange | undefined;
  /** Maximum code points that the formats add to the value. */
  adds: number;
  /**
   * Describes the mistake, as words that follow the path of the property. A function, because the search for a
   * suggestion takes up to 1 ms.
   */
  problem: (() => string) | undefined;
}

/** The result of the formats of a binding, or the reason why there is none. */
interface Formatted {
  text: string;
  problem: string | undefined;
}

/**
 * Cache of results by binding, value and context: 2 MB. A template binds the same value many times, in conditions,
 * layers, frames and sizes. `formatsMsMax` counts each value only once.
 */
const formatted = new LRUCache<string, Formatted>({
  maxSize: 1_000_000,
  sizeCalculation: ({ text, problem = '' }, key) => 100 + key.length + text.length + problem.length,
});

/** Cache of the bindings of all templates of a process: 0.5 KB each. */
const compiled = new LRUCache<string, FormattedBinding>(entryLimit(10_000));

/** A set of names, such as a map by name. */
export interface Names {
  has(name: string): boolean;
}

/** The variable that a binding names: the whole text if that is a name, otherwise the part before the formats. */
export function variableOf(source: string, names: Names): string {
  return names.has(source) || !source.includes('|') ? source : compileBinding(source).name;
}

/** Reads `name | format:argument | …`. Results are cached. Never throws: a mistake is reported in `problem`. */
export function compileBinding(source: string): FormattedBinding {
  let binding = compiled.get(source);
  if (binding === undefined) {
    binding = readBinding(source);
    compiled.set(source, binding);
  }
  return binding;
}

function readBinding(source: string): FormattedBinding {
  const [name = '', ...parts] = source.split('|').map((part) => part.trim());
  const formats: (PreparedFormat & { name: string })[] = [];
  let problem: FormattedBinding['problem'];
  if (parts.length > formatsMax) {
    problem = () =>
      `binds {{${name}}} with ${parts.length} formats, at most ${formatsMax} are allowed`;
  }
  let adds = 0;
  for (const part of problem === undefined ? parts : []) {
    const [, format = '', argument = ''] = /^([^:]*):?([^]*)$/.exec(part) ?? [];
    const prepared = prepareFormat(format.trim(), argument.trim());
    if (prepared === undefined) {
      problem ??= () => `binds {{${name}}} with ${formatProblem(format.trim(), argument.trim())}`;
      continue;
    }
    formats.push({ ...prepared, name: format.trim() });
    adds += (valueFormats[format.trim()]?.adds ?? 0) + argument.length;
  }
  const last = formats.at(-1);
  return {
    name,
    formats,
    result: resultOfAll(formats),
    clock: finestClock(formats.map(({ clock }) => clock)),
    range: last?.range,
    adds,
    problem,
  };
}

/** The result of the last format that changes the kind of the value. */
function resultOfAll(formats: FormattedBinding['formats']): FormatResult {
  const results = formats.map((format) => resultOf(format.name, format));
  return results.findLast((result) => result !== 'same') ?? 'same';
}

/** The finest of some units; undefined for none. */
export function finestClock(units: Iterable<ClockUnit | undefined>): ClockUnit | undefined {
  let finest: ClockUnit | undefined;
  for (const unit of units) {
    if (unit === undefined) continue;
    if (finest === undefined || clockUnits[unit] < clockUnits[finest]) finest = unit;
  }
  return finest;
}

/** Prepares a format; undefined for an unknown name or an invalid argument. */
function prepareFormat(name: string, argument: string): PreparedFormat | undefined {
  return Object.hasOwn(valueFormats, name) ? valueFormats[name]?.prepare(argument) : undefined;
}

/** The problem of a format, as words that follow "with". */
function formatProblem(name: string, argument: string): string {
  const names = Object.keys(valueFormats);
  const format = Object.hasOwn(valueFormats, name) ? valueFormats[name] : undefined;
  if (format === undefined) {
    const meant = suggestFormat(name, names);
    const expected = `expected one of ${names.join(', ')}`;
    return `the format ${quote(name)}, ${meant === undefined ? expected : `${expected}; did you mean ${quote(meant)}?`}`;
  }
  const expected = format.argument === undefined ? 'none: it takes no argument' : format.argument;
  const code = name === 'currency' ? suggestName(argument, [...currencyCodes]) : undefined;
  const question = code === undefined ? '' : `; did you mean ${quote(code)}?`;
  return `the argument ${quote(argument)} of ${name}, expected ${expected}${question}`;
}

/** Names of filters in Liquid, Handlebars and Jinja, with the names of these formats. */
const formatSynonyms: Readonly<Record<string, string>> = {
  capitalize: 'title',
  downcase: 'lower',
  fallback: 'default',
  lowercase: 'lower',
  money: 'currency',
  pluralize: 'plural',
  proper: 'name',
  titlecase: 'title',
  upcase: 'upper',
  uppercase: 'upper',
};

function suggestFormat(name: string, names: readonly string[]): string | undefined {
  const plain = name.toLowerCase().replaceAll(/[\s_-]/g, '');
  return Object.hasOwn(formatSynonyms, plain) ? formatSynonyms[plain] : suggestName(name, names);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text);
}

/**
 * The formatted value of a binding. A value that a format cannot take stays as it is, and its problem is added to the
 * context. Never throws.
 */
export function formatValue(
  source: string,
  values: ReadonlyMap<string, string>,
  context: FormatContext,
): string {
  const binding = compileBinding(source);
  const value = values.get(binding.name) ?? '';
  const { lang, documentLang = '', zone = '', timeMs, textNames } = context;
  const isText = textNames?.has(binding.name) === true && documentLang !== '';
  const time = binding.clock === undefined ? '' : timeMs;
  const key = `${lang} ${documentLang} ${zone} ${time} ${isText} ${source.length} ${source}${value}`;
  let known = formatted.get(key);
  if (known === undefined) {
    const decimal = isText && hasTwoReadings(value.trim()) ? decimalSign(documentLang) : undefined;
    known = applyFormats(binding, value, context, decimal);
    formatted.set(key, known);
  }
  if (known.problem !== undefined) context.problems.push(known.problem);
  return known.text;
}

function applyFormats(
  { name, formats }: FormattedBinding,
  value: string,
  context: FormatContext,
  decimal: DecimalSign | undefined,
): Formatted {
  let text = value;
  for (const format of formats) {
    if (text === '' && format.takesEmpty !== true) continue;
    // Later formats take what a format wrote, with a point before decimals.
    const written = format.write(text, context, text === value ? decimal : undefined);
    if (written === undefined) return { text: value, problem: problemOf(name, format.name, text) };
    text = cut(written);
  }
  return { text, problem: undefined };
}

function problemOf(name: string, format: string, text: string): string {
  const takes = valueFormats[format]?.takes ?? '';
  return `${quote(name)} is ${quote(text)}, but the format ${format} takes ${takes}; the value is drawn as it is`;
}

function cut(text: string): string {
  if (text.length <= writtenCodePointsMax) return text;
  return Array.from(text).slice(0, writtenCodePointsMax).join('');
}
