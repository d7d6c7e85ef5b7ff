/** Computes the heights of lines of text, and the part of them that letters fill. */
import type { Heights } from '../measure.ts';
import { fontHeights, letterHeights } from '../measure.ts';
import { outlineHeights } from '../outlines.ts';
import type { FontFace, TextStyle } from '../style.ts';
import { fontFace } from '../style.ts';

/** Heights of one line, design pixels. */
export interface LineMetrics {
  height: number;
  /** The baseline below the line's top. */
  baseline: number;
  /** Heights of the fonts above and below the baseline, which backgrounds cover. */
  ascent: number;
  descent: number;
  /** Space above and below the letters, which may be outside of a tight box; negative if letters exceed the line. */
  slackAbove: number;
  slackBelow: number;
}

/** The inputs of a text's heights besides its styles. */
export interface MetricsText {
  lang: string;
  /** From `sampleOf`: letters whose descent counts. */
  sample: string;
  /** Letters whose ascent counts: `sample`, or plain letters. */
  highSample: string;
}

/** The highest and lowest ordinary letters of a script, by a pattern of its text. */
const scriptSamples: readonly [script: RegExp, sample: string][] = [
  [/[\u01CD-\u01DC\u01DE-\u01FB\u1E00-\u1EFF]|[\u0300-\u036F]/u, '\u1EC4'],
  [/\p{Script=Greek}/u, 'Ξφ'],
  [/\p{Script=Cyrillic}/u, 'Йф'],
  [/\p{Script=Hebrew}/u, 'לק'],
  [/\p{Script=Arabic}/u, 'أطجع'],
  [/[\u064B-\u0655]|\u0670/u, 'لَّلِ'],
  [/\p{Script=Devanagari}/u, 'र्कींकृ'],
  [/\p{Script=Thai}/u, 'ปี๊ญู'],
  [/\p{Script=Lao}/u, 'ປີ້ຍູ'],
  [/\p{Script=Bengali}/u, 'র্কীঁকৃ'],
  [/\p{Script=Gujarati}/u, 'ર્કીંકૃ'],
  [/\p{Script=Gurmukhi}/u, 'ਕੀਂਕ੍ਰੂ'],
  [/\p{Script=Kannada}/u, 'ಕ್ರೀಕೃ'],
  [/\p{Script=Malayalam}/u, 'ക്ഷീകൃ'],
  [/\p{Script=Tamil}/u, 'க்கீகூ'],
  [/\p{Script=Telugu}/u, 'క్రీకృ'],
  [/\p{Script=Sinhala}/u, 'ක්‍රීකෘ'],
  [/\p{Script=Armenian}/u, 'Ֆֆ'],
  [/\p{Script=Georgian}/u, 'ბყ'],
  [/\p{Script=Ethiopic}/u, 'ፎጯ'],
  [/\p{Script=Khmer}/u, 'ក្រី្កឿ'],
  [/\p{Script=Myanmar}/u, 'ကြီးက္ကွု'],
  [/\p{Script=Tibetan}/u, 'རྒྱིརྐུ'],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u, '國를'],
  [/\p{Emoji_Presentation}/u, '\u{1F600}'],
];
/** Letters that position the first line of a text for all values, unless ink would be cut. */
export const plainSample = 'dp';

/**
 * Returns letters as high and as low as any of the text's scripts. With them, all lines of one script have the same
 * heights.
 */
export function sampleOf(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return plainSample;
  const samples = scriptSamples.map(([script, sample]) => (script.test(text) ? sample : ''));
  return plainSample + samples.join('');
}

/**
 * Returns the heights of a line with letters of these styles, at least one, at a size ratio. The tallest
 * style counts in each direction; ascent and descent are centred in the height (CSS 2, 10.8.1).
 */
export function lineMetrics(
  styles: Iterable<TextStyle>,
  text: MetricsText,
  ratio: number,
): LineMetrics {
  let height = 0;
  let ascent = 0;
  let descent = 0;
  let letterAscent = 0;
  let letterDescent = 0;
  for (const style of styles) {
    const heights = styleHeights(style, text);
    height = Math.max(height, heights.height);
    ascent = Math.max(ascent, heights.ascent);
    descent = Math.max(descent, heights.descent);
    letterAscent = Math.max(letterAscent, heights.letterAscent);
    letterDescent = Math.max(letterDescent, heights.letterDescent);
  }
  const baseline = (height - ascent - descent) / 2 + ascent;
  return {
    height: height * ratio,
    baseline: baseline * ratio,
    ascent: ascent * ratio,
    descent: descent * ratio,
    slackAbove: (baseline - letterAscent) * ratio,
    slackBelow: (height - baseline - letterDescent) * ratio,
  };
}

/** Heights of one style at its size, design pixels. */
interface StyleHeights {
  height: number;
  ascent: number;
  descent: number;
  letterAscent: number;
  letterDescent: number;
}

/** Cache by style and text. A layout needs each entry up to ten times, and has new style objects. */
const knownHeights = new WeakMap<TextStyle, Map<string, StyleHeights>>();

function styleHeights(style: TextStyle, { lang, sample, highSample }: MetricsText): StyleHeights {
  let ofStyle = knownHeights.get(style);
  if (ofStyle === undefined) knownHeights.set(style, (ofStyle = new Map()));
  const key = `${sample} ${highSample} ${lang}`;
  const known = ofStyle.get(key);
  if (known !== undefined) return known;
  const face = fontFace(style, lang, 'letters').unspaced;
  const font = fontHeights(face, 'x');
  const letters = letterReach(face, sample);
  const high = highSample === sample ? letters : letterReach(face, highSample);
  const heights = {
    height: style.size * style.lineHeight,
    ascent: font.ascent * style.size,
    descent: font.descent * style.size,
    letterAscent: high.ascent * style.size,
    letterDescent: letters.descent * style.size,
  };
  ofStyle.set(key, heights);
  return heights;
}

/** Returns the reach of the ink of `text` in a face without letter spacing, in multiples of the font size. */
export function letterReach(face: FontFace, text: string): Heights {
  return outlineHeights(face, text) ?? letterHeights(face, text);
}
