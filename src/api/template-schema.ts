/** `GET /template.schema.json`: the template language as a JSON Schema, for editors that complete and check. */
import { documentSchema } from '#language/schema/document.ts';
import type { Route } from '../http/server.ts';
import { sharedFileReply, pageFile } from './pages/reply.ts';
import type { PageFile } from './pages/reply.ts';

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
