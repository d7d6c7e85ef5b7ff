/** The pages of `docs/` as HTML, and a search over their sections. Built code reads both from `dist/` at its start. */
import { readFileSync } from 'node:fs';
import { isBuilt, packagePath } from '#paths.ts';
import type { GuideLibrary, GuidePage, GuideSection } from './make-library.ts';
import { scoreTexts, searchedWords } from './word-index.ts';

export interface Found {
  page: GuidePage;
  section: GuideSection;
}

/** The library as a file of `dist/`. */
export const libraryFile = 'guides.json';

const foundMax = 20;

/** Built code has the file since `npm run build`; the sources make the library. */
export async function loadLibrary(): Promise<GuideLibrary> {
  if (isBuilt) return readLibrary();
  const { makeLibrary } = await import('./make-library.ts');
  return makeLibrary();
}

export function readLibrary(): GuideLibrary {
  return JSON.parse(readFileSync(packagePath(`dist/${libraryFile}`), 'utf8')) as GuideLibrary;
}

/** Sections that have all words, the best first. */
export function searchGuides({ pages, sections, index }: GuideLibrary, query: string): Found[] {
  const words = searchedWords(query);
  const scores = scoreTexts(index, words);
  const found = sections.flatMap((section, number) => {
    const page = pages[section.page];
    const score = scores[number] ?? 0;
    if (page === undefined || score === 0) return [];
    return [{ page, section, score: score + kindScore(page) * words.length }];
  });
  return found.toSorted((a, b) => b.score - a.score).slice(0, foundMax);
}

/** Ranks guides first, and pages on the internals of the service last. */
function kindScore({ isGuide, name }: GuidePage): number {
  if (isGuide) return 1;
  return innerPages.has(name) ? -3 : 0;
}

const innerPages = new Set(['architecture', 'benchmarks', 'decisions', 'glossary', 'performance']);
