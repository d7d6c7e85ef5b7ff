/** `GET /openapi.json`: the description of the API, for tools. */
import type { JsonSchema } from '#shared/document-schema.ts';
import type { Route } from '../http/server.ts';
import { sharedFileReply, pageFile } from './page-reply.ts';
import type { PageFile } from './page-reply.ts';

/** `document` is asked once, when the description is first read: it changes only with the code. */
export function openApiRoute(document: () => JsonSchema): Route {
  let file: PageFile | undefined;
  return {
    name: 'openapi',
    path: '/openapi.json',
    errorShape: 'render',
    get: (exchange) =>
      sharedFileReply(
        exchange,
        (file ??= pageFile('application/json', JSON.stringify(document()))),
      ),
  };
}
