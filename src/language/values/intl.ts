/** Caches `Intl` formatters by language and options, because creating one takes 10 to 100 µs. */
import { LRUCache } from 'lru-cache';

/** Maximum cached formatters. One takes 5 to 20 KB of native memory, and a campaign uses a few. */
const formattersMax = 200;
const formatters = new LRUCache<string, object>({ max: formattersMax });

const languages = new LRUCache<string, string>({ max: 1000 });

/** The canonical form of a language tag; `en` for an invalid tag. */
export function knownLanguage(lang: string): string {
  let known = languages.get(lang);
  if (known === undefined) {
    known = canonicalLanguage(lang) ?? 'en';
    languages.set(lang, known);
  }
  return known;
}

/** The canonical form of a BCP 47 tag; undefined for an invalid tag. */
export function canonicalLanguage(lang: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(lang)[0];
  } catch {
    return undefined;
  }
}

/** The cached formatter for a key and a language; calls `create` if there is none. */
function formatterOf<Formatter extends object>(
  key: string,
  lang: string,
  create: (lang: string) => Formatter,
): Formatter {
  const known = knownLanguage(lang);
  const whole = `${key} ${known}`;
  let formatter = formatters.get(whole) as Formatter | undefined;
  if (formatter === undefined) {
    formatter = create(known);
    formatters.set(whole, formatter);
  }
  return formatter;
}

export function numberFormat(lang: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `number ${JSON.stringify(options)}`;
  return formatterOf(key, lang, (known) => new Intl.NumberFormat(known, options));
}

/** Formats dates in a language, in UTC. */
export function dateFormat(lang: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `date ${JSON.stringify(options)}`;
  return formatterOf(
    key,
    lang,
    (known) => new Intl.DateTimeFormat(known, { ...options, timeZone: 'UTC' }),
  );
}

/** Formats distances from now: `always` in numbers (in 1 year), `auto` also in words (tomorrow). */
export function relativeFormat(lang: string, numeric: 'always' | 'auto'): Intl.RelativeTimeFormat {
  const key = `relative ${numeric}`;
  return formatterOf(key, lang, (known) => new Intl.RelativeTimeFormat(known, { numeric }));
}

/** The plural rules of a language for numbers with the given count of decimals. */
export function pluralRules(lang: string, decimals: number): Intl.PluralRules {
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return formatterOf(`plural ${decimals}`, lang, (known) => new Intl.PluralRules(known, options));
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The graphemes of a text: characters as people count them. */
export function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of graphemes.segment(text)) yield segment;
}

/** The first grapheme of a text; empty for an empty text. */
export function firstGrapheme(text: string): string {
  return graphemes.segment(text).containing(0)?.segment ?? '';
}
