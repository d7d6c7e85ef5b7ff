/** Reads, checks and applies the formats of a binding: `price | currency:EUR | default:free`. */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import { suggestName } from '../check/name-suggestions.ts';
import { currencyCodes } from './number-formats.ts';
import type { ValueRange } from './range-format.ts';
import { resultOf, valueFormats } from './value-formats.ts';
import type { FormatContext, FormatResult, PreparedFormat } from './value-formats.ts';
import { clockUnits } from './zoned-time.ts';
import type { ClockUnit } from './zoned-time.ts';

/** Formats of one binding. */
export const formatsMax = 5;
/** Code points of a formatted value, as of a value of a link. */
const writtenCodePointsMax = 2000;

/** A binding with its formats, ready to apply. */
export interface FormattedBinding {
  /** Of the variable. */
  name: string;
  formats: readonly (PreparedFormat & { name: string })[];
  /** What the last format gives. */
  result: FormatResult;
  /** The finest unit of the clock that a format needs. */
  clock: ClockUnit | undefined;
  /** The range at the end, whose extremes a property must take. */
  range: ValueRange | undefined;
  /** Code points that the formats add to the value at most. */
  adds: number;
  /** Says what is wrong with it, to follow the path of its property. Looking for what was meant takes up to 1 ms. */
  problem: (() => string) | undefined;
}

/** What the formats of a binding wrote, or why they did not. */
interface Formatted {
  text: string;
  problem: string | undefined;
}

/**
 * By binding, value and what formats depend on: 2 MB. A template binds the same value many times, in conditions, layers,
 * frames and sizes, and `formatsMsMax` counts each only once.
 */
const formatted = new LRUCache<string, Formatted>({
  maxSize: 1_000_000,
  sizeCalculation: ({ text, problem = '' }, key) => 100 + key.length + text.length + problem.length,
});

/** Bindings of all templates of a process: 0.5 KB each. */
const compiled = new LRUCache<string, FormattedBinding>(entryLimit(10_000));

/** A set of names, such as a map by name. */
export interface Names {
  has(name: string): boolean;
}

/** The variable that a binding names: all of its text where that is a name, else what stands before its formats. */
export function variableOf(source: string, names: Names): string {
  return names.has(source) || !source.includes('|') ? source : compileBinding(source).name;
}

/** Reads `name | format:argument | …`; each source once. Never throws: a mistake is its `problem`. */
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

/** The last format that does not keep what it gets. */
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

/** A format; undefined for one that there is not, or that does not take the argument. */
function prepareFormat(name: string, argument: string): PreparedFormat | undefined {
  return Object.hasOwn(valueFormats, name) ? valueFormats[name]?.prepare(argument) : undefined;
}

/** What is wrong with a format, to follow "with". */
function formatProblem(name: string, argument: string): string {
  const names = Object.keys(valueFormats);
  const format = Object.hasOwn(valueFormats, name) ? valueFormats[name] : undefined;
  if (format === undefined) {
    const meant = suggestFormat(name, names);
    const expected = `expected one of ${names.join(', ')}`;
    return `the format ${quote(name)}, ${meant === undefined ? expected : `${expected}; did you mean ${quote(meant)}?`}`;
  }
  const expected = format.argument === undefined ? 'none: it takes no argument' : format.argument;
  const code = name === 'currency' ? suggestName(argument, [...currencyCodes()]) : undefined;
  const question = code === undefined ? '' : `; did you mean ${quote(code)}?`;
  return `the argument ${quote(argument)} of ${name}, expected ${expected}${question}`;
}

/** What filters of Liquid, Handlebars and Jinja are called here. */
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
 * The formatted value of a binding. A value that a format does not take stays as it is, and a problem is added. Never
 * throws.
 */
export function formatValue(
  source: string,
  values: ReadonlyMap<string, string>,
  context: FormatContext,
): string {
  const binding = compileBinding(source);
  const value = values.get(binding.name) ?? '';
  const { lang, documentLang = '', zone = '', timeMs } = context;
  const time = binding.clock === undefined ? '' : timeMs;
  const key = `${lang} ${documentLang} ${zone} ${time} ${source.length} ${source}${value}`;
  let known = formatted.get(key);
  if (known === undefined) {
    known = applyFormats(binding, value, context);
    formatted.set(key, known);
  }
  if (known.problem !== undefined) context.problems.push(known.problem);
  return known.text;
}

function applyFormats(
  { name, formats }: FormattedBinding,
  value: string,
  context: FormatContext,
): Formatted {
  let text = value;
  for (const format of formats) {
    if (text === '' && format.takesEmpty !== true) continue;
    const written = format.write(text, context);
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
