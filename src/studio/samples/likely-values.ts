/** Values that people are likely to have, by the type and the name of a variable: long, short, and in other scripts. */
import { templateLimits } from '#language/limits/template-limits.ts';
import type { ScalarVariable } from '#language/schema/template.ts';

/** A way to fill in a text. */
export type TextKind = 'longest' | 'shortest' | 'word' | 'emoji' | 'rtl' | 'cjk';

/** Longer texts than these are nobody's name; a variable without `maxLength` takes them too. */
const nameSamples: Readonly<Record<TextKind, string>> = {
  longest: 'Maximilian Alexander',
  shortest: 'Jo',
  word: 'Wolfeschlegelsteinhausenbergerdorff',
  emoji: 'Zoë 🎉👩‍👩‍👧',
  rtl: 'عبد الرحمن',
  cjk: '小笠原 美咲',
};

const proseSamples: Readonly<Record<TextKind, string>> = {
  // Fills up what the default begins.
  longest: 'with everything that belongs to it, for you and your whole family',
  shortest: 'Go',
  word: 'Donaudampfschifffahrtsgesellschaft',
  emoji: '🎉 👩‍🚀 ❤️',
  rtl: 'مرحبًا بك، كل شيء جاهز لرحلتك',
  cjk: '春の旅へようこそ、今すぐご予約ください',
};

/** What a text with such a name is, in the order in which they are tried. */
const knownTexts: ReadonlyArray<{
  name: RegExp;
  longest: string;
  /** No words: it has the same script for everybody, and is never one long word. */
  isFact?: boolean;
}> = [
  { name: /e-?mail/i, longest: 'maximilian.alexander@northumberland.example', isFact: true },
  { name: /last.?name|surname|family.?name/i, longest: 'Featherstonehaugh-Cholmondeley' },
  {
    name: /company|organi[sz]ation|brand|shop|store/i,
    longest: 'Northumberland Farming & Sons Ltd.',
  },
  {
    name: /city|town|position|venue|location|destination/i,
    longest: 'Kirkby Malzeard-with-Laverton',
  },
  { name: /country/i, longest: 'Saint Vincent and the Grenadines' },
  { name: /date|(^|_)day/i, longest: 'Wednesday, 30 September 2026', isFact: true },
  { name: /time|hour/i, longest: '10:59 – 12:59 PM', isFact: true },
  { name: /price|amount|total|fare/i, longest: '$1,299,999.00', isFact: true },
  { name: /code|coupon|voucher|number|seat|row/i, longest: 'SUMMER-2026-48813', isFact: true },
  { name: /url|link|site/i, longest: 'www.northumberland-farming.example/2026', isFact: true },
  { name: /author|speaker|full.?name/i, longest: 'Maximilian Alexander von Hohenberg' },
];

/** What is called so holds a person's name. */
const personPattern = /name$|customer|guest|recipient|author|speaker|user|passenger|attendee/i;

/** How much longer than its default a text may likely be. */
const growth = 1.7;

/** A text of this kind for a variable, no longer than its `maxLength` and what a link takes. */
export function likelyText(variable: ScalarVariable, kind: TextKind): string {
  return cutToLength(
    wholeText(variable, kind),
    variable.maxLength ?? templateLimits.valueCodePointsMax,
  );
}

function wholeText({ name, value }: ScalarVariable, kind: TextKind): string {
  const known = knownTexts.find((text) => text.name.test(name));
  if (known?.isFact === true && kind !== 'longest') return value;
  const isPerson = personPattern.test(name);
  if (kind === 'longest') {
    if (known !== undefined) return longer(inCurrency(known.longest, value), value);
    return isPerson ? longer(nameSamples.longest, value) : grow(value);
  }
  if (isPerson) return nameSamples[kind];
  return kind === 'emoji' ? `${value} ${proseSamples.emoji}`.trim() : proseSamples[kind];
}

/** An amount as the default writes it: `€ 28` becomes `€ 1,299,999.00`. */
function inCurrency(amount: string, value: string): string {
  if (!amount.startsWith('$') || !/\d/.test(value)) return amount;
  return value.replace(/\d[\d.,]*/, amount.slice(1));
}

function longer(a: string, b: string): string {
  return b.length > a.length ? b : a;
}

/** The text with more words, as many as are likely; whole words only. */
function grow(text: string): string {
  const lengthMax = Math.max(24, Math.ceil(text.length * growth));
  const words = proseSamples.longest.split(' ');
  let grown = text.trim();
  for (let index = 0; grown.length < lengthMax; index += 1) {
    grown = `${grown} ${words[index % words.length] ?? ''}`.trim();
  }
  return grown;
}

/** At most so many code points, and no letter or emoji cut in two. */
export function cutToLength(text: string, codePointsMax: number): string {
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text);
  let cut = '';
  let codePoints = 0;
  for (const { segment } of segments) {
    codePoints += Array.from(segment).length;
    if (codePoints > codePointsMax) break;
    cut += segment;
  }
  return cut.trimEnd();
}

/** The largest number that is allowed, or two digits more than the default has. */
export function largestNumber({ value, min, max }: ScalarVariable): number {
  if (max !== undefined) return max;
  const digits = Math.min(12, String(Math.trunc(Math.abs(Number(value) || 0))).length + 2);
  return Math.max(10 ** digits - 1, min ?? 0);
}

/** The smallest number that is allowed, or nothing at all. */
export function smallestNumber({ min, max }: ScalarVariable): number {
  return min ?? Math.min(0, max ?? 0);
}
