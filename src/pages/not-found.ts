/** Paths without an endpoint: a page for people, JSON for programs, and redirects for paths with a trailing slash. */
import { nothingHere, unknownPath } from '../http/refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { emptyReply } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import { barHtml, pageHtml } from './html.ts';
import { inAnonymousShare } from '../api/request/input.ts';
import { notFoundReply } from '../api/request/page-file.ts';

/** Pages that people open with a slash at the end of the address. */
const slashedPages = ['docs', 'studio'];

/** Upper bound of the path depth at which the page's relative links are correct. */
const depthMax = 20;

/** The routes. A browser that navigates sends `text/html` in `Accept`; programs and images do not. */
export function notFoundRoutes(): Route[] {
  const slashed = slashedPages.map((name): Route => {
    // Relative, so that it also works below a path of a proxy.
    const redirect = emptyReply(308, { Location: `../${name}` });
    return { name, path: `/${name}/`, errorShape: 'render', get: inAnonymousShare(() => redirect) };
  });
  return [
    ...slashed,
    {
      name: 'unknown',
      path: unknownPath,
      errorShape: 'render',
      get: inAnonymousShare(answerUnknown),
    },
  ];
}

function answerUnknown({ accept, path, query }: Exchange): Reply {
  const depth = Math.min(path.split('/').length - 2, depthMax);
  const root = depth === 0 ? './' : '../'.repeat(depth);
  const tidy = path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
  // Programs that join addresses write `//v1/…`, and some end them with a slash.
  if (tidy !== path && /^\/v1\/render\/[^/]+$/.test(tidy) && depth < depthMax) {
    return emptyReply(308, { Location: `${root}${tidy.slice(1)}${query && '?'}${query}` });
  }
  if (!/\btext\/html\b/i.test(accept)) throw nothingHere();
  return notFoundReply(notFoundHtml(root));
}

/** `root` leads from the address of the request to the first page. */
function notFoundHtml(root: string): string {
  const links = [
    ['', 'First steps'],
    ['studio', 'Studio'],
    ['docs', 'API'],
  ] as const;
  return pageHtml({
    title: 'Platen – page not found',
    root,
    head: ['<meta name="robots" content="noindex">'],
    body: `${barHtml(root, links)}
<main class="not-found">
<h1>There is no page at this address</h1>
<p>Check the address for mistakes, or go to the <a href="${root}">first steps</a>, the <a href="${root}studio">studio</a> or the <a href="${root}docs">reference of the API</a>.</p>
</main>`,
  });
}
