/** Likely values of contacts, by the type and the name of a variable: long, short, and in other scripts. */
import { templateLimits } from '#language/limits/template-limits.ts';
import type { ScalarVariable } from '#language/schema/template.ts';
import { graphemesOf } from '#language/values/intl.ts';

/** A kind of sample text. */
export type TextKind = 'longest' | 'shortest' | 'word' | 'emoji' | 'rtl' | 'cjk';

/** Sample names. They are realistic in length, also for a variable without `maxLength`. */
const nameSamples: Readonly<Record<TextKind, string>> = {
  longest: 'Maximilian Alexander',
  shortest: 'Jo',
  word: 'Wolfeschlegelsteinhausenbergerdorff',
  emoji: 'Zoë 🎉👩‍👩‍👧',
  rtl: 'عبد الرحمن',
  cjk: '小笠原 美咲',
};

const proseSamples: Readonly<Record<TextKind, string>> = {
  // Continues the default text.
  longest: 'with everything that belongs to it, for you and your whole family',
  shortest: 'Go',
  word: 'Donaudampfschifffahrtsgesellschaft',
  emoji: '🎉 👩‍🚀 ❤️',
  rtl: 'مرحبًا بك، كل شيء جاهز لرحلتك',
  cjk: '春の旅へようこそ、今すぐご予約ください',
};

/** Samples by the name of a text variable, in the order in which they are tried. */
const knownTexts: ReadonlyArray<{
  name: RegExp;
  longest: string;
  /** Whether the value is no prose: other kinds of samples keep the default. */
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

/** Names of variables that hold a person's name. */
const personPattern = /name$|customer|guest|recipient|author|speaker|user|passenger|attendee/i;

/** Whether a variable holds a person's name. */
export function isPersonName({ name, type }: { name: string; type: string }): boolean {
  return type === 'text' && personPattern.test(name);
}

/** Factor by which a text is likely longer than its default. */
const growth = 1.7;

/** Returns a text of a kind for a variable, cut to its `maxLength` or else to the limit of link values. */
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

/** Writes an amount in the style of the default: `€ 28` becomes `€ 1,299,999.00`. */
function inCurrency(amount: string, value: string): string {
  if (!amount.startsWith('$') || !/\d/.test(value)) return amount;
  return value.replace(/\d[\d.,]*/, amount.slice(1));
}

function longer(a: string, b: string): string {
  return b.length > a.length ? b : a;
}

/** Adds whole words until the text is at least 24 characters and `growth` times its length. */
function grow(text: string): string {
  const lengthMax = Math.max(24, Math.ceil(text.length * growth));
  const words = proseSamples.longest.split(' ');
  let grown = text.trim();
  for (let index = 0; grown.length < lengthMax; index += 1) {
    grown = `${grown} ${words[index % words.length] ?? ''}`.trim();
  }
  return grown;
}

/** Cuts a text to at most `codePointsMax` code points, between graphemes. */
export function cutToLength(text: string, codePointsMax: number): string {
  // A code point has at least one UTF-16 unit. Each change of the document asks for the values again.
  if (text.length <= codePointsMax) return text.trimEnd();
  let cut = '';
  let codePoints = 0;
  for (const grapheme of graphemesOf(text)) {
    codePoints += Array.from(grapheme).length;
    if (codePoints > codePointsMax) break;
    cut += grapheme;
  }
  return cut.trimEnd();
}

/** Returns the largest allowed number, or a number with two digits more than the default. */
export function largestNumber({ value, min, max }: ScalarVariable): number {
  if (max !== undefined) return max;
  const digits = Math.min(12, String(Math.trunc(Math.abs(Number(value) || 0))).length + 2);
  return Math.max(10 ** digits - 1, min ?? 0);
}

/** Returns the smallest allowed number, or else 0 or a negative maximum. */
export function smallestNumber({ min, max }: ScalarVariable): number {
  return min ?? Math.min(0, max ?? 0);
}
