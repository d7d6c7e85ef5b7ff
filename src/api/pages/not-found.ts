/** What answers where no route does: a page for people, JSON for programs; and addresses with a slash too many. */
import type { Exchange } from '../../http/exchange.ts';
import { nothingHere, unknownPath } from '../../http/refusal.ts';
import { emptyReply } from '../../http/reply.ts';
import type { Reply } from '../../http/reply.ts';
import type { Route } from '../../http/server.ts';
import { notFoundReply } from './reply.ts';

/** Pages that people reach with a slash at the end of the address. */
const slashedPages = ['docs', 'studio'];

/** Segments of a path that the page's links climb; a longer path is nobody's bookmark. */
const depthMax = 20;

/** The routes. A browser that navigates names `text/html`; programs and images do not. */
export function notFoundRoutes(): Route[] {
  const slashed = slashedPages.map((name): Route => {
    // Relative, so that it also works below a path of a proxy.
    const redirect = emptyReply(308, { Location: `../${name}` });
    return { name, path: `/${name}/`, errorShape: 'render', get: () => redirect };
  });
  return [
    ...slashed,
    { name: 'unknown', path: unknownPath, errorShape: 'render', get: answerUnknown },
  ];
}

function answerUnknown({ accept, path }: Exchange): Reply {
  if (!/\btext\/html\b/i.test(accept)) throw nothingHere();
  const depth = Math.min(path.split('/').length - 2, depthMax);
  return notFoundReply(notFoundHtml(depth === 0 ? './' : '../'.repeat(depth)));
}

/** `root` leads from the address of the request to the first page. */
function notFoundHtml(root: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Platen – page not found</title>
<link rel="icon" href="${root}pages/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}pages/platen.css">
</head>
<body>
<header class="bar">
<a class="mark" href="${root}">Platen</a>
<nav aria-label="Pages"><a href="${root}">First steps</a><a href="${root}studio">Studio</a><a href="${root}docs">API</a></nav>
</header>
<main>
<h1>There is no page at this address</h1>
<p>Check the address for mistakes, or go to the <a href="${root}">first steps</a>, the <a href="${root}studio">studio</a> or the <a href="${root}docs">reference of the API</a>.</p>
</main>
</body>
</html>
`;
}
