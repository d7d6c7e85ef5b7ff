/** The reference of the template format, by chapters: an agent reads what it needs. */
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';

/** Read at the first use. */
let chapters: ReadonlyMap<string, string> | undefined;

/** One chapter, found by its heading in any case; without one, or for an unknown one, the smallest template and all headings. */
export function readFormatChapter(heading?: string): string {
  chapters ??= splitChapters(readFileSync(packagePath('docs/template-format.md'), 'utf8'));
  const wanted = heading?.trim().toLowerCase();
  const entries = [...chapters];
  const found = entries.find(([name]) => name.toLowerCase() === wanted)?.[1];
  if (found !== undefined) return found;
  const smallest = readFileSync(packagePath('data/templates/hello.json'), 'utf8');
  const names = entries.map(([name]) => `- ${name}`).join('\n');
  return `A template is one JSON document, such as:\n\n${smallest}\nChapters of the reference:\n${names}`;
}

/** By the headings of the second level. */
function splitChapters(page: string): Map<string, string> {
  const parts = page.split(/^## /m).slice(1);
  return new Map(parts.map((part) => [part.split('\n', 1)[0]?.trim() ?? '', `## ${part}`]));
}
