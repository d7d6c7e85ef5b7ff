/** Everything that is read and not drawn: the first page, the reference, and what tools and programs ask for. */
import type { Route } from '../../http/server.ts';
import { docsPageRoute } from './docs.ts';
import type { HomeOptions } from './home.ts';
import { homeRoute } from './home.ts';
import { pageFileRoutes } from './files.ts';
import { studioRoutes } from './studio-routes.ts';
import { documentSchema } from '#language/schema/document.ts';
import { sharedFileReply, pageFile, notFoundReply } from './reply.ts';
import type { PageFile } from './reply.ts';
import { openApiDocument } from '../openapi/document.ts';
import { addressedFile } from '../public-url.ts';
import type { PublicUrl } from '../public-url.ts';
import type { Exchange } from '../../http/exchange.ts';
import { nothingHere, unknownPath } from '../../http/refusal.ts';
import { emptyReply } from '../../http/reply.ts';
import type { Reply } from '../../http/reply.ts';

/** The routes that need no key and change nothing. */
export function pageRoutes(options: HomeOptions): Route[] {
  const { publicUrl } = options;
  return [
    homeRoute(options),
    docsPageRoute(publicUrl),
    openApiRoute(publicUrl),
    templateSchemaRoute(),
    ...pageFileRoutes(),
    ...studioRoutes(publicUrl),
    ...notFoundRoutes(),
  ];
}

// `GET /template.schema.json`: the template language as a JSON Schema, for editors that complete and check.

/** The same text as docs/template.schema.json, made for the first reader: it changes only with the code. */
export function templateSchemaRoute(): Route {
  let file: PageFile | undefined;
  return {
    name: 'template-schema',
    path: '/template.schema.json',
    errorShape: 'render',
    get: (exchange) =>
      sharedFileReply(
        exchange,
        (file ??= pageFile('application/json', JSON.stringify(documentSchema()))),
      ),
  };
}

// `GET /openapi.json`: the description of the API, for tools.

/** The document for the address at which it is asked for; it changes only with the code. */
function openApiRoute(publicUrl: PublicUrl): Route {
  const fileAt = addressedFile(
    'application/json',
    (base) => JSON.stringify(openApiDocument(base)),
    (base) => JSON.stringify(base).slice(1, -1),
  );
  return {
    name: 'openapi',
    path: '/openapi.json',
    errorShape: 'render',
    get: (exchange) => sharedFileReply(exchange, fileAt(publicUrl(exchange))),
  };
}

// Paths that no route serves: a page for people, JSON for programs, and redirects for paths with a trailing slash.

/** Pages that people reach with a slash at the end of the address. */
const slashedPages = ['docs', 'studio'];

/** Segments of a path that the page's links climb; a longer path is nobody's bookmark. */
const depthMax = 20;

/** The routes. A browser that navigates names `text/html`; programs and images do not. */
function notFoundRoutes(): Route[] {
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
