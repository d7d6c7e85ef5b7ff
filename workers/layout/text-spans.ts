/** Converts a text layer to styled spans: inherited styles, changed case, installed fonts. */
import { withoutIsolates } from '#language/bind/isolation.ts';
import { composed } from '#language/normal-form.ts';
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import {
  countCodePoints,
  layerTextMax,
  lineBreakPattern,
  spansOf,
  unitsOf,
} from '#language/limits/text-limit.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { axisProblem } from '../assets/font-axes.ts';
import { defaultFamily } from '../assets/fonts.ts';
import type { Scene } from '../bind-scene.ts';
import { hasFamily } from '../text/measure.ts';
import { brokenSequences, missingDetail, replaceMissing } from '../text/missing.ts';
import type { StyledText, TextStyle } from '../text/style.ts';
import { fontFace } from '../text/style.ts';

const fontSizeDefault = 16;
/** Default of the smallest font size of a shrink, as a ratio of the layer's size. */
const minSizeRatio = 0.5;
const lineHeightDefault = 1.2;
const blackFill = '#000000';
const { layerLineBreaksMax } = templateLimits;

/** Returns the largest and smallest font size of a layer in design pixels; equal if the layer does not shrink. */
export function fontSizes({
  fontSize = fontSizeDefault,
  overflow = 'shrink',
  minSize = fontSize * minSizeRatio,
}: TextLayer): { fontSize: number; smallest: number } {
  return { fontSize, smallest: overflow === 'shrink' ? Math.min(fontSize, minSize) : fontSize };
}

/** Returns the layer's text in spans of one style, in reading order, within its limits. */
export function styledSpans(
  layer: TextLayer,
  scene: Scene,
  warnings: RenderWarning[],
): StyledText[] {
  const written = spansOf(layer).map((span) => {
    const text = composed(span.text);
    return text === span.text ? span : { ...span, text };
  });
  const spans = limitSpans(written, layerTextMax(layer));
  if (spans.isCut) {
    const detail = `a layer draws at most ${layerTextMax(layer)} characters and ${layerLineBreaksMax} line breaks; the rest is left out`;
    warnings.push({ code: 'TEXT_TRUNCATED', layer: layer.id, detail });
  }
  const missing = new Set<string>();
  const styled = spans.spans.map((span) => {
    const style = toStyle(layer, span, scene, warnings);
    const cased = changeCase(span.text, span.transform ?? layer.transform, scene.lang);
    const drawable = replaceMissing(
      cased.toWellFormed(),
      style,
      scene.lang,
      scene.missingGlyph === 'drop',
    );
    for (const character of drawable.missing) missing.add(character);
    return { text: withTimesSign(drawable.text, style, scene.lang), style };
  });
  // A sequence may begin in one span and end in the next one.
  const whole = styled.map(({ text }) => text).join('');
  for (const sequence of brokenSequences(whole, scene.lang)) missing.add(sequence);
  if (missing.size > 0) {
    const detail = missingDetail([...missing]);
    const characters = [...missing];
    warnings.push({ code: 'GLYPH_MISSING', layer: layer.id, detail, characters });
  }
  return styled;
}

/** Isolates around a value, which stand between its letters and those of the template. */
const isolateEdge = String.raw`[\u2066-\u2069]*`;
/** An x between digits, with or without a space on each side. */
const timesPattern = new RegExp(
  String.raw`(?<=\d${isolateEdge}[ \u00A0]?)x(?=[ \u00A0]?${isolateEdge}\d)`,
  'g',
);

/**
 * Inter's static files draw such an x as × (feature `calt`). The variable font, a later version, draws the letter x.
 * This replaces the x, so that all weights look alike. The shaping of these fonts has no other differences.
 */
function withTimesSign(text: string, style: TextStyle, lang: string): string {
  if (!text.includes('x')) return text;
  const [family = ''] = fontFace(style, lang, 'letters').families;
  const isVariableInter = family === 'Inter Variable' && !/\bcalt\W+0/.test(style.features);
  return isVariableInter ? text.replaceAll(timesPattern, '×') : text;
}

function limitSpans(
  spans: readonly TextSpan[],
  codePointsMax: number,
): { spans: TextSpan[]; isCut: boolean } {
  let codePointsLeft = codePointsMax;
  let lineBreaksLeft = layerLineBreaksMax;
  let isCut = false;
  const kept: TextSpan[] = [];
  for (const span of spans) {
    let text = span.text.slice(0, unitsOf(span.text, codePointsLeft));
    codePointsLeft -= countCodePoints(withoutIsolates(text));
    const lineBreaks = [...text.matchAll(lineBreakPattern)];
    text = text.slice(0, lineBreaks[lineBreaksLeft]?.index);
    lineBreaksLeft -= lineBreaks.length;
    kept.push({ ...span, text });
    isCut = text.length < span.text.length;
    if (isCut) break;
  }
  return { spans: kept, isCut };
}

function toStyle(
  layer: TextLayer,
  span: TextSpan,
  scene: Scene,
  warnings: RenderWarning[],
): TextStyle {
  const look = { ...layer, ...span };
  const wanted = [look.fontFamily ?? []].flat();
  const families = installedFamilies(layer.id, [...wanted, ...scene.fonts], scene, warnings);
  for (const tag of Object.keys(look.fontVariations ?? {})) {
    const problem = axisProblem(families[0] ?? defaultFamily, tag);
    if (problem !== undefined) warnOnce(warnings, 'AXIS_MISSING', layer.id, problem);
  }
  return {
    families,
    size: look.fontSize ?? fontSizeDefault,
    weight: look.fontWeight ?? 400,
    italic: look.fontStyle === 'italic',
    lineHeight: layer.lineHeight ?? lineHeightDefault,
    letterSpacing: look.letterSpacing ?? 0,
    wordSpacing: look.wordSpacing ?? 0,
    features: toSettings(look.fontFeatures),
    variations: toSettings(look.fontVariations),
    fill: look.fill ?? blackFill,
    underline: look.underline ?? false,
    strike: look.strike ?? false,
    background: look.background,
  };
}

function installedFamilies(
  layer: string,
  wanted: readonly string[],
  { organizationFamilies }: Scene,
  warnings: RenderWarning[],
): string[] {
  const isInstalled = (family: string): boolean =>
    organizationFamilies.has(family.toLowerCase()) || hasFamily(family);
  const installed = wanted.filter(isInstalled);
  for (const family of wanted) {
    if (installed.includes(family)) continue;
    const fallback = installed[0] ?? defaultFamily;
    const detail = `the font family "${family}" is not installed; ${fallback} is used`;
    warnOnce(warnings, 'FONT_MISSING', layer, detail);
  }
  if (installed.length === 0) return [defaultFamily];
  return installed.map((family) => organizationFamilies.get(family.toLowerCase()) ?? family);
}

/** Adds one warning for all spans of a layer that share a problem. */
function warnOnce(
  warnings: RenderWarning[],
  code: RenderWarning['code'],
  layer: string,
  detail: string,
): void {
  const isReported = warnings.some(
    (warning) => warning.layer === layer && warning.detail === detail,
  );
  if (!isReported) warnings.push({ code, layer, detail });
}

/**
 * Returns CSS settings of tags and numbers: `"tnum" 1, "ss01" 1`. The tags were checked when the template was saved.
 */
function toSettings(tags: Record<string, number> | undefined): string {
  return Object.entries(tags ?? {})
    .map(([tag, value]) => `"${tag}" ${value}`)
    .join(', ');
}

// Changes the case of text by the rules of its language (CSS Text 3, 2.1).

/** Digraph letters with a titlecase form (Unicode, Lt). */
const titleForms: Readonly<Record<string, string>> = {
  '\u01C4': '\u01C5',
  '\u01C7': '\u01C8',
  '\u01CA': '\u01CB',
  '\u01F1': '\u01F2',
};
const wordStart = new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}'’]${isolateEdge})\p{L}`, 'gu');
/** In Dutch, i and j are one letter at the start of a word. */
const dutchWordStart = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}'’]${isolateEdge})(?:ij|\p{L})`,
  'gu',
);
/** Georgian capitals are only for whole words, not for the start of a word. */
const georgian = /\p{Script=Georgian}/u;

/** Changes text to the case that `transform` names; `lang` is a BCP 47 tag. */
export function changeCase(
  text: string,
  transform: 'none' | 'uppercase' | 'lowercase' | 'capitalize' | undefined,
  lang: string,
): string {
  switch (transform) {
    case 'uppercase':
      return text.toLocaleUpperCase(lang);
    case 'lowercase':
      return text.toLocaleLowerCase(lang);
    case 'capitalize': {
      const start = /^nl\b/i.test(lang) ? dutchWordStart : wordStart;
      return text.replace(start, (letter) => toTitleCase(letter, lang));
    }
    default:
      return text;
  }
}

/** Returns the titlecase form of a letter: a capital, except for digraphs. */
function toTitleCase(letter: string, lang: string): string {
  if (georgian.test(letter)) return letter;
  if (letter === 'ij') return 'IJ';
  // Marks stay: some languages remove marks from capitals, but not from the first letter of a word.
  const [first = '', ...marks] = letter.normalize('NFD');
  const [capital = '', ...others] = first.toLocaleUpperCase(lang);
  // Ligatures become a capital and small letters. A character that is no letter (ʼ before N) has no case.
  const isLetter = capital.toLowerCase() !== capital;
  const rest = isLetter ? others.join('').toLocaleLowerCase(lang) : others.join('');
  return ((titleForms[capital] ?? capital) + rest + marks.join('')).normalize('NFC');
}
