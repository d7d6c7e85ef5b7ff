/** Words of dates and currencies in browsers: they come after the first load of the studio, of which they would be a twentieth. */
import type * as Words from './date-words.ts';

let loaded: typeof Words | undefined;

/** As `plainDate`; until the words have come, only digits and English are read. */
export function plainDate(text: string, lang: string | undefined): string | undefined {
  return loaded === undefined ? text.trim() : loaded.plainDate(text, lang);
}

/** As `currencyWords`; empty until the words have come. */
export function currencyWords(): string {
  return loaded?.currencyWords() ?? '';
}

// The bundle has this file beside the one that imports it.
void import('./date-words.ts').then(
  (words) => (loaded = words),
  () => undefined,
);
