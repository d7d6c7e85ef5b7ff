/** HTML of pages: escaping, the head that pages share, and pages as files. */
import { pageFile } from '../api/request/page-file.ts';
import type { PageFile } from '../api/request/page-file.ts';

export const htmlType = 'text/html; charset=utf-8';

/** A page as a file. */
export function htmlFile(html: string): PageFile {
  return pageFile(htmlType, html);
}

/** Text for HTML, in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Parts that differ between pages. `title` and the lists are HTML. */
interface PageParts {
  title: string;
  /** Relative address of the first page, empty or with a slash at its end: pages also work below a path of a proxy. */
  root: string;
  /** Further elements of the head. */
  head?: readonly string[];
  /** The content of the body. */
  body: string;
}

/** A page with the styles and the icon that all pages have. */
export function pageHtml({ title, root, head = [], body }: PageParts): string {
  const elements = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${title}</title>`,
    `<link rel="icon" href="${root}pages/mark.svg" type="image/svg+xml">`,
    `<link rel="stylesheet" href="${root}pages/platen.css">`,
    ...head,
  ];
  return `<!doctype html>
<html lang="en">
<head>
${elements.join('\n')}
</head>
<body>
${body}
</body>
</html>
`;
}

/** The bar at the top of a page. `current` names the page that is open. */
export function barHtml(
  root: string,
  links: ReadonlyArray<readonly [path: string, text: string]>,
  current?: string,
): string {
  const first = root === '' ? './' : root;
  const shown = links.map(([path, text]) => {
    const mark = path === current ? ' aria-current="page"' : '';
    return `<a href="${path === '' ? first : `${root}${path}`}"${mark}>${text}</a>`;
  });
  return `<header class="bar">
<a class="mark" href="${first}">Platen</a>
<nav aria-label="Pages">${shown.join('')}</nav>
</header>`;
}
