/** The bundled font families, and the fallback order after the template's families: every script has glyphs. */

/** The family used if a template names one that is not installed. */
export const defaultFamily = 'Inter';

/** The family of colour emoji. */
export const emojiFamily = 'Twemoji Mozilla';

/** Monochrome emoji, for SVG: its renderer does not draw glyphs of coloured layers (COLR). */
export const outlineEmojiFamily = 'Noto Emoji';

/** Families that templates may name besides the fallback families. */
const designFamilies = ['Caveat', 'Fraunces', 'Playfair Display', 'Space Grotesk', 'Space Mono'];

const scriptFamilies = [
  'Noto Sans',
  'Noto Sans Arabic',
  'Noto Sans Hebrew',
  'Noto Sans Devanagari',
  'Noto Sans Thai',
  'Noto Sans Bengali',
  'Noto Sans Gujarati',
  'Noto Sans Gurmukhi',
  'Noto Sans Kannada',
  'Noto Sans Malayalam',
  'Noto Sans Tamil',
  'Noto Sans Telugu',
  'Noto Sans Sinhala',
  'Noto Sans Armenian',
  'Noto Sans Georgian',
  'Noto Sans Ethiopic',
  'Noto Sans Khmer',
  'Noto Sans Lao',
  'Noto Sans Myanmar',
  'Noto Serif Tibetan',
];

/** Han characters have national forms: the language decides which family is searched first. */
const hanFamiliesByLanguage: Record<string, string[]> = {
  ja: ['Noto Sans JP', 'Noto Sans SC', 'Noto Sans TC', 'Noto Sans KR'],
  ko: ['Noto Sans KR', 'Noto Sans JP', 'Noto Sans SC', 'Noto Sans TC'],
  'zh-hant': ['Noto Sans TC', 'Noto Sans SC', 'Noto Sans JP', 'Noto Sans KR'],
  zh: ['Noto Sans SC', 'Noto Sans TC', 'Noto Sans JP', 'Noto Sans KR'],
};
const hanFamiliesDefault = ['Noto Sans SC', 'Noto Sans JP', 'Noto Sans KR', 'Noto Sans TC'];

/** Returns every family that is always available to templates. */
export function bundledFamilies(): string[] {
  return [defaultFamily, ...designFamilies, ...scriptFamilies, ...hanFamiliesDefault, emojiFamily];
}

/** Returns the families after the template's, in the order in which glyphs are searched. */
export function fallbackFamilies(lang: string): string[] {
  return [defaultFamily, ...scriptFamilies, ...hanFamilies(lang.toLowerCase()), emojiFamily];
}

function hanFamilies(lang: string): string[] {
  if (/^zh-(hant|tw|hk|mo)/.test(lang)) return hanFamiliesByLanguage['zh-hant'] ?? [];
  return hanFamiliesByLanguage[lang.split('-')[0] ?? ''] ?? hanFamiliesDefault;
}
