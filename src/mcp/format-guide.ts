/** The reference of the template format, split into chapters, so that an agent reads only what it needs. */
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';

/** Read at the first use. */
let chapters: ReadonlyMap<string, string> | undefined;

/** Finds a chapter by its heading, in any case. Otherwise returns the smallest template and all headings. */
export function readFormatChapter(heading?: string): string {
  chapters ??= readChapters();
  const wanted = heading?.trim().toLowerCase();
  const entries = [...chapters];
  const found = entries.find(([name]) => name.toLowerCase() === wanted)?.[1];
  if (found !== undefined) return found;
  const smallest = readFileSync(packagePath('data/templates/hello.json'), 'utf8');
  const names = entries.map(([name]) => `- ${name}`).join('\n');
  const unknown = wanted === undefined ? '' : `There is no chapter "${wanted}".\n\n`;
  return `${unknown}A template is one JSON document, such as:\n\n${smallest}\nChapters of the reference:\n${names}`;
}

const readPage = (name: string): string => readFileSync(packagePath(`docs/${name}.md`), 'utf8');

function readChapters(): Map<string, string> {
  const parts = readPage('template-format').split(/^## /m).slice(1);
  const entries = parts.map((part): [string, string] => [
    part.split('\n', 1)[0]?.trim() ?? '',
    `## ${part.replaceAll(imageTable, '')}`,
  ]);
  // The chapter of recipes has only images.
  const withText = entries.filter(([name, text]) => text.trim() !== `## ${name}`);
  return new Map([...withText, ['Value formats', readPage('value-formats')]]);
}

/** Tables of images, of which an agent sees only addresses. They are two thirds of the longest chapter. */
const imageTable = /^\|.*<img .*\n(?:\|[ :|-]+\|\n)?(?:\|.*<img .*\n)*/gm;
