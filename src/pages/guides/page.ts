/** `GET /docs/{page}`: the pages of `docs/` for readers of a running service, and a search over them. */
import { parseQuery, firstValue } from '../../http/query.ts';
import { nothingHere } from '../../http/refusal.ts';
import { pathParameter } from '../../api/declaration.ts';
import { endpoint } from '../../api/endpoint.ts';
import { barHtml, escapeHtml, htmlFile, pageHtml } from '../html.ts';
import { fileReply, pageShared, textAnswer } from '../../api/request/page-file.ts';
import type { Found, GuidePage } from './library.ts';

/** The address of the search, which is no page of the library. */
const searchName = 'search';
const queryLengthMax = 200;
const excerptLength = 180;

/** The form of the search is the only one that a page of the service sends. */
const formPolicy = "form-action 'self'";

export const guide = endpoint(
  {
    ...pageShared,
    id: 'guide',
    route: 'docs',
    path: '/docs/{page}',
    summary: 'Guides',
    description: 'A page of the documentation, such as `first-template`; `search` finds words.',
    pathParameters: { page: pathParameter('Name of a page.', 'first-template') },
    query: {
      q: { description: 'words to find, for `search`', schema: { type: 'string' } },
    },
    answers: { 200: textAnswer('The page', 'text/html') },
    errors: { 404: 'There is no such page.' },
  },
  () => async (exchange) => {
    const { guidePages, searchGuides } = await import('./library.ts');
    const name = exchange.parameter;
    if (name === searchName) {
      const query = firstValue(parseQuery(exchange.query), 'q')?.slice(0, queryLengthMax) ?? '';
      const html = frame(guidePages(), undefined, foundHtml(query, searchGuides(query)), query);
      return fileReply(exchange, htmlFile(html), [formPolicy]);
    }
    const page = guidePages().get(name);
    if (page === undefined) throw nothingHere();
    return fileReply(exchange, htmlFile(frame(guidePages(), page, page.html)), [formPolicy]);
  },
);

function frame(
  pages: ReadonlyMap<string, GuidePage>,
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
    [...pages.values()]
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
    return `<li><a href="${page.name}${hash}">${escapeHtml(title)}</a><p class="soft">${escapeHtml(excerpt(section.text))}</p></li>`;
  });
  const result =
    items.length === 0
      ? '<p>No section has all of these words. Try fewer words, or parts of them.</p>'
      : `<ol>${items.join('')}</ol>`;
  return `<h1>${query === '' ? 'Search' : `Search for “${escapeHtml(query)}”`}</h1>${result}`;
}

function excerpt(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= excerptLength ? trimmed : `${trimmed.slice(0, excerptLength)}…`;
}
