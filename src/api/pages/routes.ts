/** Everything that is read and not drawn: the first page, the reference, and what tools and programs ask for. */
import type { Route } from '../../http/server.ts';
import { docsPageRoute } from './docs.ts';
import type { HomeOptions } from './home.ts';
import { homeRoute } from './home.ts';
import { notFoundRoutes } from './not-found.ts';
import { pageFileRoutes } from './files.ts';
import { studioRoutes } from './studio-routes.ts';
import { documentSchema } from '#language/schema/document.ts';
import { sharedFileReply, pageFile } from './reply.ts';
import type { PageFile } from './reply.ts';
import { openApiDocument } from '../openapi/document.ts';
import { addressedFile } from '../public-url.ts';
import type { PublicUrl } from '../public-url.ts';

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
