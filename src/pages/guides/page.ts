/** `GET /docs/{page}`: the pages of `docs/` for readers of a running service. `GET /docs/search` searches in them. */
import { isBuilt } from '#paths.ts';
import { parseQuery, firstValue } from '../../http/query.ts';
import { nothingHere } from '../../http/refusal.ts';
import { pathParameter } from '../../api/declaration.ts';
import { endpoint } from '../../api/endpoint.ts';
import { barHtml, escapeHtml, htmlFile, pageHtml } from '../html.ts';
import { fileReply, pageShared, textAnswer } from '../../api/request/page-file.ts';
import type { PageFile } from '../../api/request/page-file.ts';
import { loadLibrary, readLibrary, searchGuides } from './library.ts';
import type { Found } from './library.ts';
import type { GuideLibrary, GuidePage } from './make-library.ts';

const queryLengthMax = 200;

/** A search takes 0.2 ms, and a person sends one in some seconds. */
const searchRate = { what: 'searches', countMax: 60, windowSeconds: 10 };

/** The form of the search is the only one that a page of the service sends. */
const formPolicy = "form-action 'self'";

let library: GuideLibrary | undefined;

/** Reads the library when the service is made. The sources make it at the first request instead. */
function prepareLibrary(): void {
  if (isBuilt) library ??= readLibrary();
}

async function findLibrary(): Promise<GuideLibrary> {
  library ??= await loadLibrary();
  return library;
}

export const guide = endpoint(
  {
    ...pageShared,
    id: 'guide',
    route: 'docs',
    path: '/docs/{page}',
    summary: 'Guides',
    description: 'A page of the documentation, such as `first-template`.',
    pathParameters: { page: pathParameter('Name of a page.', 'first-template') },
    answers: { 200: textAnswer('The page', 'text/html') },
    errors: { 404: 'There is no such page.' },
  },
  () => {
    prepareLibrary();
    const files = new Map<string, PageFile>();
    return async (exchange) => {
      const { pages } = await findLibrary();
      const page = pages.find(({ name }) => name === exchange.parameter);
      if (page === undefined) throw nothingHere();
      const file = files.get(page.name) ?? htmlFile(frame(pages, page, page.html));
      files.set(page.name, file);
      return fileReply(exchange, file, [formPolicy]);
    };
  },
);

export const guideSearch = endpoint(
  {
    ...pageShared,
    id: 'searchGuides',
    route: 'docs-search',
    path: '/docs/search',
    rate: searchRate,
    summary: 'Search the guides',
    description: 'Sections of the documentation that have all words, or words that begin so.',
    query: {
      q: { description: 'Words to find.', schema: { type: 'string' }, example: 'signing key' },
    },
    answers: { 200: textAnswer('The page', 'text/html') },
  },
  () => {
    prepareLibrary();
    return async (exchange) => {
      const found = await findLibrary();
      const query = firstValue(parseQuery(exchange.query), 'q')?.slice(0, queryLengthMax) ?? '';
      const html = foundHtml(query, searchGuides(found, query));
      return fileReply(exchange, htmlFile(frame(found.pages, undefined, html, query)), [
        formPolicy,
      ]);
    };
  },
);

function frame(
  pages: readonly GuidePage[],
  current: GuidePage | undefined,
  html: string,
  query = '',
): string {
  const links = [
    ['', 'First steps'],
    ['studio', 'Studio'],
    ['docs/first-template', 'Guides'],
    ['docs', 'API'],
  ] as const;
  const list = (isGuide: boolean): string =>
    pages
      .filter((page) => page.isGuide === isGuide)
      .map(({ name, title }) => {
        const mark = name === current?.name ? ' aria-current="page"' : '';
        return `<li><a href="${name}"${mark}>${escapeHtml(title)}</a></li>`;
      })
      .join('');
  return pageHtml({
    title: `Platen – ${escapeHtml(current?.title ?? 'search')}`,
    root: '../',
    head: ['<link rel="stylesheet" href="../pages/docs.css">'],
    body: `<a class="skip" href="#start">To the text</a>
${barHtml('../', links, 'docs/first-template')}
<div class="columns">
<nav class="side" aria-label="Pages of the documentation">
<form action="search" role="search"><label for="q">Search</label> <input id="q" name="q" type="search" maxlength="${queryLengthMax}" value="${escapeHtml(query)}"></form>
<h2>Guides</h2><ul>${list(true)}</ul>
<h2>Reference</h2><ul><li><a href="../docs">API with forms</a></li>${list(false)}</ul>
</nav>
<main id="start" class="prose">${html}</main>
</div>`,
  });
}

function foundHtml(query: string, found: readonly Found[]): string {
  const items = found.map(({ page, section }) => {
    const hash = section.id === '' ? '' : `#${section.id}`;
    const title = section.id === '' ? page.title : `${page.title}: ${section.title}`;
    return `<li><a href="${page.name}${hash}">${escapeHtml(title)}</a><p class="soft">${escapeHtml(section.excerpt)}</p></li>`;
  });
  const result =
    items.length === 0
      ? '<p>No section has all of these words. Try fewer words, or their beginnings.</p>'
      : `<ol>${items.join('')}</ol>`;
  return `<h1>${query === '' ? 'Search' : `Search for “${escapeHtml(query)}”`}</h1>${result}`;
}
