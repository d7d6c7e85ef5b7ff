/** Turns a text layer into styled spans: inherited looks, changed case, installed fonts. */
import type { TextLayer, TextSpan } from '#shared/text-schemas.ts';
import type { RenderWarning } from '#shared/render-job.ts';
import { defaultFamily } from '../assets/fonts.ts';
import type { Scene } from '../scene.ts';
import { splitGraphemes } from '../text/emoji.ts';
import { hasFamily, isMissing } from '../text/measure.ts';
import type { StyledText } from '../text/paragraphs.ts';
import type { TextStyle } from '../text/style.ts';
import { fontFace } from '../text/style.ts';

export const fontSizeDefault = 16;
const lineHeightDefault = 1.2;
const blackFill = '#000000';
/** Missing code points named in one warning. */
const namedMax = 8;

/** The layer's text in stretches of one look, in reading order. */
export function styledSpans(
  layer: TextLayer,
  scene: Scene,
  warnings: RenderWarning[],
): StyledText[] {
  const spans: TextSpan[] = layer.spans ?? [{ text: layer.text ?? '' }];
  const styled = spans.map((span) => ({
    text: changeCase(span.text, span.transform ?? layer.transform, scene.lang),
    style: toStyle(layer, span, scene, warnings),
  }));
  warnMissing(layer.id, styled, scene.lang, warnings);
  return styled;
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

function warnMissing(
  layer: string,
  spans: readonly StyledText[],
  lang: string,
  warnings: RenderWarning[],
): void {
  const missing = new Set<string>();
  for (const { text, style } of spans) {
    // The default family has all of ASCII.
    const others = text.toWellFormed().replace(/\p{ASCII}/gu, '');
    const face = fontFace(style, lang, false);
    for (const codePoint of new Set(others)) {
      if (isMissing(face, codePoint)) missing.add(codePoint);
    }
  }
  if (missing.size === 0) return;
  const names = splitGraphemes([...missing].slice(0, namedMax).join('\n'))
    .filter((name) => name !== '\n')
    .map((name) => `U+${(name.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  const more = missing.size > namedMax ? ` and ${missing.size - namedMax} more` : '';
  const detail = `no installed font has ${names.join(', ')}${more}`;
  warnings.push({ code: 'GLYPH_MISSING', layer, detail });
}
