/** Finds the characters that no font can draw, and replaces them by plain letters, a box or nothing. */
import { covers } from '../assets/font-coverage.ts';
import {
  defaultFamily,
  emojiFamily,
  fallbackFamilies,
  outlineEmojiFamily,
} from '../assets/fonts.ts';
import { familyCoverage } from './font-runs.ts';
import { splitEmoji, splitGraphemes } from './emoji.ts';
import { drawsBox, measureEm } from './measure.ts';
import type { TextStyle } from './style.ts';
import { fontFace } from './style.ts';

/** Replacement of a character without a glyph (U+25A1); the default family has it. */
const box = '\u25A1';
/** White space, invisible characters (joiners, variation selectors) and controls are never missing. */
const invisiblePattern = /[\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;
/** Plain forms of signs that are newer than the fonts: the code of the currency (ISO 4217). */
const currencyCodes: Readonly<Record<string, string>> = { '\u20C1': 'SAR' };
/** Maximum characters of a text that are looked up in the engine; each takes up to 0.1 ms. */
const askedMax = 50;

/** Style of letters for which only the availability of glyphs matters. */
const plainStyle: TextStyle = {
  families: [defaultFamily],
  size: 16,
  weight: 400,
  italic: false,
  lineHeight: 1,
  letterSpacing: 0,
  wordSpacing: 0,
  features: '',
  variations: '',
  fill: '#000000',
  underline: false,
  strike: false,
  background: undefined,
};

/** A text that can be drawn, and the characters that were replaced. */
export interface DrawableText {
  text: string;
  /** Each code point once, in order. */
  missing: string[];
}

/** Maximum missing code points named in a warning. */
const namedMax = 8;

/**
 * Replaces each character for which no font of the style has a glyph: by its plain form (Unicode NFKC: 𝓐 becomes A; ⃁
 * becomes SAR), else by a box, or by nothing if `isDropped`. The engine would search all fonts for this character in every
 * measurement and drawing, which takes 50 µs.
 */
export function replaceMissing(
  text: string,
  style: TextStyle,
  lang: string,
  isDropped = false,
): DrawableText {
  const families = [...style.families, ...fallbackFamilies(lang)];
  const ask = (character: string): boolean =>
    families.some((family) => familyCoverage(family) === undefined) &&
    !drawsBox(fontFace(style, lang, 'letters'), character);
  const { missing, text: drawable } = replaceUncovered(text, families, ask, isDropped ? '' : box);
  return { text: drawable, missing };
}

/** Matches parts of an emoji sequence: joiners, skin tones, halves of flags, tags. */
const sequencePattern = /\u200D|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u{E0020}-\u{E007F}]/u;

/** Returns the emoji sequences for which the emoji font has no image: they are as wide as several emoji. */
export function brokenSequences(text: string, lang: string): string[] {
  if (!sequencePattern.test(text)) return [];
  const face = fontFace(plainStyle, lang, 'emoji');
  const sequences = splitEmoji(text)
    .filter(({ kind }) => kind === 'emoji')
    .flatMap((span) => splitGraphemes(span.text))
    .filter((grapheme) => sequencePattern.test(grapheme));
  const widthMax = measureEm(face, '\u{1F600}') * 1.5;
  return [...new Set(sequences)]
    .slice(0, askedMax)
    .filter((sequence) => measureEm(face, sequence) > widthMax);
}

/**
 * Returns the characters of a text, each once, for which the SVG renderer has no glyph. The renderer searches all
 * installed fonts, and draws nothing for glyphs of coloured layers.
 */
export function missingInSvg(text: string, lang: string): string[] {
  const families = [...fallbackFamilies(lang), outlineEmojiFamily];
  const drawn = families.filter((family) => family !== emojiFamily);
  return replaceUncovered(text, drawn, (character) => {
    const layered = familyCoverage(emojiFamily);
    if (layered !== undefined && covers(layered, character.codePointAt(0) ?? 0)) return false;
    return !drawsBox(fontFace(plainStyle, lang, 'letters'), character);
  }).replaced;
}

/**
 * Replaces characters that no family has and for which `isDrawn`, called for at most `askedMax`, is false. Families are
 * opened one after the other: the last one, of emoji, takes 50 ms.
 */
function replaceUncovered(
  text: string,
  families: readonly string[],
  isDrawn: (character: string) => boolean,
  replacement = box,
): DrawableText & { replaced: string[] } {
  // The default family has all of ASCII.
  if (/^\p{ASCII}*$/u.test(text)) return { text, missing: [], replaced: [] };
  const missing = new Set<string>();
  /** Replacements of characters that no known file has. */
  const stand = new Map<string, string>();
  let asked = 0;
  const findStandIn = (character: string): string => {
    asked += 1;
    if (asked <= askedMax && isDrawn(character)) return character;
    const plain = currencyCodes[character] ?? character.normalize('NFKC');
    if (plain !== character && Array.from(plain).every((one) => isCovered(families, one)))
      return plain;
    missing.add(character);
    return replacement;
  };
  const drawable = text.replace(/\P{ASCII}/gu, (character) => {
    if (invisiblePattern.test(character)) return character;
    const known = stand.get(character);
    if (known !== undefined) return known;
    if (isCovered(families, character)) return character;
    const standIn = findStandIn(character);
    stand.set(character, standIn);
    return standIn;
  });
  const replaced = [...stand].filter(([from, to]) => from !== to).map(([character]) => character);
  return { text: drawable, missing: [...missing], replaced };
}

function isCovered(families: readonly string[], character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  return families.some((family) => {
    const coverage = familyCoverage(family);
    return coverage !== undefined && covers(coverage, codePoint);
  });
}

/** Returns the characters of a text that bundled fonts and these families do not have, not even in a plain form. */
export function missingIn(text: string, families: readonly string[], lang: string): string[] {
  const drawable = replaceMissing(text, { ...plainStyle, families }, lang);
  return [...drawable.missing, ...brokenSequences(drawable.text, lang)];
}

/** Returns a warning's sentence about missing characters, at least one. */
export function missingDetail(missing: readonly string[]): string {
  const names = missing.slice(0, namedMax).map(nameCodePoints).join(', ');
  const more = missing.length > namedMax ? ` and ${missing.length - namedMax} more` : '';
  return `no installed font has ${names}${more}`;
}

function nameCodePoints(characters: string): string {
  return Array.from(characters, (character) => {
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  }).join(' ');
}

// Extracts the text of SVG markup, to find characters that no font can draw.

/** Named entities of XML; others are an error for the renderer. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
const textPattern = /<(?:[\w.-]+:)?text(?=[\s/>])/g;
const textEndPattern = /<\/(?:[\w.-]+:)?text\s*>/g;
const markupPattern = /<!\[CDATA\[([^]*?)\]\]>|<(?:"[^"]*"|'[^']*'|[^"'<>])*>/g;
const referencePattern = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{1,4}));/g;

/** Returns the characters inside the `text` elements of well-formed markup, in order, in linear time. */
export function svgText(markup: string): string {
  const plain = markup.replaceAll(/<!--[^]*?-->/g, '');
  let text = '';
  let end = 0;
  for (const { index } of plain.matchAll(textPattern)) {
    if (index < end) continue;
    textEndPattern.lastIndex = index;
    const closing = textEndPattern.exec(plain);
    // The last element has no content, or the markup is not well-formed, and the renderer rejects it.
    if (closing === null) break;
    end = closing.index;
    text += readCharacters(plain.slice(index, end));
  }
  return text;
}

function readCharacters(markup: string): string {
  return markup
    .replace(markupPattern, (_, data: string | undefined) => data ?? '')
    .replace(referencePattern, (found, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? found;
      const codePoint = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : found;
    })
    .toWellFormed();
}
