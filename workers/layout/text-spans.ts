/** Turns a text layer into styled spans: inherited looks, changed case, installed fonts. */
import type { TextLayer, TextSpan } from '#shared/text-schemas.ts';
import type { RenderWarning } from '#shared/render-job.ts';
import { defaultFamily } from '../assets/fonts.ts';
import type { Scene } from '../scene.ts';
import { hasFamily } from '../text/measure.ts';
import { replaceMissing } from '../text/missing.ts';
import type { StyledText } from '../text/paragraphs.ts';
import { lineBreakPattern } from '../text/paragraphs.ts';
import type { TextStyle } from '../text/style.ts';

const fontSizeDefault = 16;
/** Smallest font size of a shrink that names none, as a part of the layer's own. */
const minSizeRatio = 0.5;
const lineHeightDefault = 1.2;
const blackFill = '#000000';
/** Missing code points named in one warning. */
const namedMax = 8;
/**
 * Code points and lines of one layer, all values and spans together: two of the longest values. What
 * is more is left out, with a warning.
 */
const layerCodePointsMax = 4000;
const layerLineBreaksMax = 200;

/** The largest and the smallest font size of a layer, design pixels; equal when it does not shrink. */
export function fontSizes({
  fontSize = fontSizeDefault,
  overflow = 'shrink',
  minSize = fontSize * minSizeRatio,
}: TextLayer): { fontSize: number; smallest: number } {
  return { fontSize, smallest: overflow === 'shrink' ? Math.min(fontSize, minSize) : fontSize };
}

/** The layer's text in stretches of one look, in reading order, no more than its limits allow. */
export function styledSpans(
  layer: TextLayer,
  scene: Scene,
  warnings: RenderWarning[],
): StyledText[] {
  const spans = limitSpans(layer.spans ?? [{ text: layer.text ?? '' }]);
  if (spans.isCut) {
    const detail = `a layer draws at most ${layerCodePointsMax} characters and ${layerLineBreaksMax} line breaks; the rest is left out`;
    warnings.push({ code: 'TEXT_TRUNCATED', layer: layer.id, detail });
  }
  const missing = new Set<string>();
  const styled = spans.spans.map((span) => {
    const style = toStyle(layer, span, scene, warnings);
    const cased = changeCase(span.text, span.transform ?? layer.transform, scene.lang);
    const drawable = replaceMissing(cased.toWellFormed(), style, scene.lang);
    for (const character of drawable.missing) missing.add(character);
    return { text: drawable.text, style };
  });
  if (missing.size > 0) warnings.push(glyphWarning(layer.id, [...missing]));
  return styled;
}

function glyphWarning(layer: string, missing: readonly string[]): RenderWarning {
  const names = missing.slice(0, namedMax).map(nameCodePoint).join(', ');
  const more = missing.length > namedMax ? ` and ${missing.length - namedMax} more` : '';
  return { code: 'GLYPH_MISSING', layer, detail: `no installed font has ${names}${more}` };
}

function nameCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function limitSpans(spans: readonly TextSpan[]): { spans: TextSpan[]; isCut: boolean } {
  let codePointsLeft = layerCodePointsMax;
  let lineBreaksLeft = layerLineBreaksMax;
  let isCut = false;
  const kept: TextSpan[] = [];
  for (const span of spans) {
    let { text } = span;
    // Twice as many UTF-16 units hold that many code points at least.
    const codePoints = Array.from(text.slice(0, codePointsLeft * 2)).slice(0, codePointsLeft);
    if (text.length > codePointsLeft) text = codePoints.join('');
    const lineBreaks = [...text.matchAll(lineBreakPattern)];
    text = text.slice(0, lineBreaks[lineBreaksLeft]?.index);
    codePointsLeft -= codePoints.length;
    lineBreaksLeft -= lineBreaks.length;
    kept.push({ ...span, text });
    isCut = text.length < span.text.length;
    if (isCut) break;
  }
  return { spans: kept, isCut };
}

function changeCase(text: string, transform: TextSpan['transform'], lang: string): string {
  switch (transform) {
    case 'uppercase':
      return text.toLocaleUpperCase(lang);
    case 'lowercase':
      return text.toLocaleLowerCase(lang);
    case 'capitalize':
      return text.replace(/(?<![\p{L}\p{M}\p{N}'’])\p{L}/gu, (letter) =>
        letter.toLocaleUpperCase(lang),
      );
    default:
      return text;
  }
}

function toStyle(
  layer: TextLayer,
  span: TextSpan,
  scene: Scene,
  warnings: RenderWarning[],
): TextStyle {
  const look = { ...layer, ...span };
  const wanted = [look.fontFamily ?? []].flat();
  return {
    families: installedFamilies(layer.id, [...wanted, ...scene.fonts], warnings),
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
  warnings: RenderWarning[],
): string[] {
  const installed = wanted.filter(hasFamily);
  for (const family of wanted) {
    if (installed.includes(family)) continue;
    const standIn = installed[0] ?? defaultFamily;
    const detail = `the font family "${family}" is not installed; ${standIn} stands in`;
    const told = warnings.some((warning) => warning.layer === layer && warning.detail === detail);
    if (!told) warnings.push({ code: 'FONT_MISSING', layer, detail });
  }
  return installed.length > 0 ? installed : [defaultFamily];
}

/** CSS settings of tags and numbers: `"tnum" 1, "ss01" 1`. Tags were checked when the template was saved. */
function toSettings(tags: Record<string, number> | undefined): string {
  return Object.entries(tags ?? {})
    .map(([tag, value]) => `"${tag}" ${value}`)
    .join(', ');
}
