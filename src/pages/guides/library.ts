/** The Markdown pages of `docs/` as HTML, and a search over their sections. Read once, at the first request. */
import { readdirSync, readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';
import { Marked } from 'marked';
import type { Token, Tokens } from 'marked';
import { escapeHtml } from '../html.ts';

/** A page of the library. */
export interface GuidePage {
  /** Last segment of the page's address: the file name without `.md`. */
  name: string;
  title: string;
  isGuide: boolean;
  html: string;
  sections: readonly Section[];
}

/** A heading with the text below it. */
interface Section {
  /** HTML id of the heading; empty for the title of the page. */
  id: string;
  title: string;
  text: string;
}

export interface Found {
  page: GuidePage;
  section: Section;
}

/** Guides in the order in which a reader needs them; other pages follow as the reference. */
const guideOrder = [
  'first-template',
  'merge-tags',
  'live-images',
  'signed-links',
  'campaigns',
  'fonts-and-scripts',
  'embedding',
  'automation',
  'migrate',
  'mcp',
  'operations',
  'scaling',
];

const folders = ['docs', 'docs/guides'];
const wordsMax = 8;
const foundMax = 20;

let library: ReadonlyMap<string, GuidePage> | undefined;

export function guidePages(): ReadonlyMap<string, GuidePage> {
  library ??= readLibrary();
  return library;
}

function readLibrary(): Map<string, GuidePage> {
  const files = folders.flatMap((folder) =>
    readdirSync(packagePath(folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => ({ folder, name: name.slice(0, -'.md'.length) })),
  );
  const names = new Set(files.map(({ name }) => name));
  const pages = files
    .toSorted((a, b) => rankOf(a.name) - rankOf(b.name))
    .map(({ folder, name }) => readPage(folder, name, names));
  return new Map(pages.map((page) => [page.name, page]));
}

/** Guides in their order, then all other pages. */
function rankOf(name: string): number {
  const index = guideOrder.indexOf(name);
  return index === -1 ? guideOrder.length : index;
}

function readPage(folder: string, name: string, names: ReadonlySet<string>): GuidePage {
  const text = readFileSync(packagePath(`${folder}/${name}.md`), 'utf8');
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${slugOf(heading)}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(href, folder, names);
        return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      // Images of the repository are not part of an installation.
      image: ({ text: alternative }) => escapeHtml(alternative),
      html: ({ text: markup }) => (/^<br>$/.test(markup.trim()) ? '<br>' : ''),
    },
  });
  const tokens = marked.lexer(text);
  const sections = sectionsOf(tokens);
  return {
    name,
    title: sections[0]?.title ?? name,
    isGuide: guideOrder.includes(name),
    html: marked.parser(tokens),
    sections,
  };
}

/** The address of a link's target in the service; undefined for a file that only the repository has. */
function targetOf(href: string, folder: string, names: ReadonlySet<string>): string | undefined {
  if (/^(?:https?:|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, `http://localhost/${folder}/`);
  const name = /^\/docs\/(?:guides\/)?([\w-]+)\.md$/.exec(pathname)?.[1];
  return name !== undefined && names.has(name) ? `${name}${hash}` : undefined;
}

/** The id that Git hosts give a heading, so that links work there and here. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: Section[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { text, depth } = token as Tokens.Heading;
      const title = text.replaceAll('`', '');
      sections.push({ id: depth === 1 ? '' : slugOf(text), title, text: '' });
    } else {
      const last = sections.at(-1);
      if (last !== undefined) last.text += ` ${plainText(token.raw)}`;
    }
  }
  return sections;
}

/** Words without the marks of Markdown. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^\s*(?:[-*>]|\d+\.)\s/gm, ' ')
    .replaceAll(/\]\([^)]*\)|<[^>]+>|-{3,}|[`*|[\]]/g, ' ')
    .replaceAll(/\s+(?=[,.;:](?:\s|$))/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Sections that have all words, the best first. */
export function searchGuides(query: string): Found[] {
  const all = query
    .toLowerCase()
    .split(/[\s?]+/)
    .filter(Boolean);
  const telling = all.filter((word) => !fillers.has(word));
  const words = (telling.length === 0 ? all : telling).slice(0, wordsMax).map(wordPatterns);
  if (words.length === 0) return [];
  const found: Array<Found & { score: number }> = [];
  for (const page of guidePages().values()) {
    for (const section of page.sections) {
      const texts = [section.title, page.title, section.text].map((text) => text.toLowerCase());
      if (!words.every(({ part }) => texts.some((text) => text.includes(part)))) continue;
      const scores = words.map((word) => scoreOf(word, texts));
      const sum = scores.reduce((total, score) => total + score, 0);
      found.push({ page, section, score: sum + kindScore(page) * words.length });
    }
  }
  return found.toSorted((a, b) => b.score - a.score).slice(0, foundMax);
}

/** Stop words of a search. */
const fillers = new Set('a an and can do for how i in is make my of the to what with'.split(' '));

/** A word by itself, and as a part of words. */
interface WordPatterns {
  whole: RegExp;
  part: string;
}

function wordPatterns(word: string): WordPatterns {
  const literal = word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return {
    whole: new RegExp(String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`, 'u'),
    part: word,
  };
}

/** Scores a match. The first texts, which are titles, count most, and whole words more than parts of words. */
function scoreOf({ whole, part }: WordPatterns, texts: readonly string[]): number {
  const scores = texts.map((text, index) => {
    if (!text.includes(part)) return 0;
    return (whole.test(text) ? 2 : 1) * (texts.length - index);
  });
  return Math.max(...scores);
}

/** Ranks guides first, and pages on the internals of the service last. */
function kindScore({ isGuide, name }: GuidePage): number {
  if (isGuide) return 1;
  return innerPages.has(name) ? -3 : 0;
}

const innerPages = new Set(['architecture', 'benchmarks', 'decisions', 'glossary', 'performance']);
