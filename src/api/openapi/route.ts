/** `GET /openapi.json`: the description of the API, for tools. */
import type { Route } from '../../http/server.ts';
import { openApiDocument } from './document.ts';
import { sharedFileReply } from '../pages/reply.ts';
import { addressedFile } from '../public-url.ts';
import type { PublicUrl } from '../public-url.ts';

/** The document for the address at which it is asked for; it changes only with the code. */
export function openApiRoute(publicUrl: PublicUrl): Route {
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
