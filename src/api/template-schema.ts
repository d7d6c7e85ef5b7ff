/** `GET /template.schema.json`: the template language as a JSON Schema, for editors that complete and check. */
import { gzipSync } from 'node:zlib';
import { documentSchema } from '#shared/document-schema.ts';
import { matchesETag } from '../http/cache-headers.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import { pageFile } from './page-reply.ts';

interface Encoded {
  headers: readonly string[];
  /** Of this encoding alone (RFC 9110 section 8.8.3.3). */
  etag: string;
  body: string | Uint8Array;
}

/**
 * The same text as docs/template.schema.json, made for the first reader: it changes only with the code. Zipped for who
 * takes it so; 304 for who has it.
 */
export function templateSchemaRoute(): Route {
  let loaded: { plain: Encoded; zipped: Encoded } | undefined;
  return {
    name: 'template-schema',
    path: '/template.schema.json',
    errorShape: 'render',
    get(exchange) {
      const { plain, zipped } = (loaded ??= encode(JSON.stringify(documentSchema())));
      return replyOf(exchange, exchange.acceptEncoding.includes('gzip') ? zipped : plain);
    },
  };
}

function headersWith(etag: string): string[] {
  return [
    'Cache-Control',
    'no-cache',
    'ETag',
    etag,
    'Vary',
    'Accept-Encoding',
    'X-Content-Type-Options',
    'nosniff',
  ];
}

function encode(text: string): { plain: Encoded; zipped: Encoded } {
  const { etag } = pageFile('application/json', text);
  const zippedTag = etag.replace(/"$/, '-gzip"');
  return {
    plain: { headers: headersWith(etag), etag, body: text },
    zipped: {
      headers: [...headersWith(zippedTag), 'Content-Encoding', 'gzip'],
      etag: zippedTag,
      body: gzipSync(text),
    },
  };
}

function replyOf({ ifNoneMatch }: Exchange, { headers, etag, body }: Encoded): Reply {
  if (matchesETag(ifNoneMatch, etag)) return { status: 304, headers };
  return { status: 200, headers: ['Content-Type', 'application/json', ...headers], body };
}
