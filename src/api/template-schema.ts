/** `GET /template.schema.json`: the template language as a JSON Schema, for editors that complete and check. */
import { documentSchema } from '#shared/document-schema.ts';
import { jsonReply } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';

/** The same text as docs/template.schema.json, made for the first reader: it changes only with the code. */
export function templateSchemaRoute(): Route {
  let reply: Reply | undefined;
  return {
    name: 'template-schema',
    path: '/template.schema.json',
    errorShape: 'render',
    get: () => (reply ??= jsonReply(200, documentSchema())),
  };
}
