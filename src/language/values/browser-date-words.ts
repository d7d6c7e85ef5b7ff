/** Words of dates in browsers: they come after the first load of the studio, of which they would be a twentieth. */
import type { plainDate as readWords } from './date-words.ts';

let loaded: typeof readWords | undefined;

/** As `plainDate`; until the words have come, only digits and English are read. */
export function plainDate(text: string, lang: string | undefined): string | undefined {
  return loaded === undefined ? text.trim() : loaded(text, lang);
}

// The bundle has this file beside the one that imports it.
void import('./date-words.ts').then(
  ({ plainDate: words }) => (loaded = words),
  () => undefined,
);
