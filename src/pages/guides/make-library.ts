/** Makes the library of guides from the Markdown pages of `docs/`. It takes half a second, so `npm run build` does it. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { packagePath } from '#paths.ts';
import { Marked } from 'marked';
import type { Token, Tokens } from 'marked';
import { escapeHtml } from '../html.ts';
import { indexTexts } from './word-index.ts';
import type { WordIndex } from './word-index.ts';

/** Data that JSON can hold. */
export interface GuideLibrary {
  /** In the order in which a reader needs them. */
  pages: readonly GuidePage[];
  sections: readonly GuideSection[];
  /** Words of the sections: of the heading, of the page's title and of the text. */
  index: WordIndex;
}

export interface GuidePage {
  /** Last segment of the page's address: the file name without `.md`. */
  name: string;
  title: string;
  isGuide: boolean;
  html: string;
}

/** A heading with the beginning of the text below it. */
export interface GuideSection {
  /** Number of its page. */
  page: number;
  /** HTML id of the heading; empty for the title of the page. */
  id: string;
  title: string;
  excerpt: string;
}

/** A heading with the text below it. */
interface Section {
  /** HTML id of the heading; empty for the title of the page. */
  id: string;
  title: string;
  text: string;
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
const excerptLength = 180;

/** The Markdown pages, by their paths from the root of the package. */
export function guideFiles(): string[] {
  return folders.flatMap((folder) =>
    readdirSync(packagePath(folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
}

export function makeLibrary(): GuideLibrary {
  const files = guideFiles().map((path) => ({ path, name: basename(path, '.md') }));
  const names = new Set(files.map(({ name }) => name));
  const made = files
    .toSorted((a, b) => rankOf(a.name) - rankOf(b.name))
    .map(({ path, name }) => readPage(path, name, names));
  const pages = made.map(({ page }) => page);
  const sections = made.flatMap((each, page) =>
    each.sections.map(({ id, title, text }) => ({ page, id, title, text })),
  );
  return {
    pages,
    sections: sections.map(({ text, ...section }) => ({ ...section, excerpt: excerptOf(text) })),
    index: indexTexts(
      sections.map(({ page, title, text }) => [title, pages[page]?.title ?? '', text]),
    ),
  };
}

function excerptOf(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= excerptLength ? trimmed : `${trimmed.slice(0, excerptLength)}…`;
}

/** Guides in their order, then all other pages. */
function rankOf(name: string): number {
  const index = guideOrder.indexOf(name);
  return index === -1 ? guideOrder.length : index;
}

function readPage(
  path: string,
  name: string,
  names: ReadonlySet<string>,
): { page: GuidePage; sections: readonly Section[] } {
  const text = readFileSync(packagePath(path), 'utf8');
  const folder = dirname(path);
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
  const title = sections[0]?.title ?? name;
  const html = marked.parser(tokens);
  return { page: { name, title, isGuide: guideOrder.includes(name), html }, sections };
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
