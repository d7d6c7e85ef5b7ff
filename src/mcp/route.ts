/**
 * `POST /mcp`: the MCP server by streamable HTTP, with the keys of the API. It is stateless: each request has an answer of
 * JSON, and there is neither a session nor a stream of the server's own messages.
 */
import { AppError } from '../foundation/errors.ts';
import type { KeyHolders } from '../http/api-key.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Route } from '../http/route.ts';

/** A template document with its values, or a list, inside JSON. */
const bodyBytesMax = 2 * 1024 * 1024;
/** Requests of an organization at a time: a proof takes up to 20 s, and each holds its body until it is answered. */
const requestsMax = 4;
const retryAfterSeconds = 2;

export interface McpParts {
  organizations: KeyHolders<{ uid: string }>;
  /** The address of the server that takes requests of this process alone. */
  innerUrl: () => string;
  publicUrl: (exchange: Exchange) => string;
}

export function mcpRoute({ organizations, innerUrl, publicUrl }: McpParts): Route {
  const open = new Map<string, number>();
  return {
    name: 'mcp',
    path: '/mcp',
    errorShape: 'organization',
    bodyBytesMax,
    async post(exchange) {
      const holder = organizations.findByKey(exchange.apiKey);
      if (holder === undefined) {
        throw new AppError('UNAUTHORIZED', 'Invalid API key', { reason: 'key' });
      }
      const count = open.get(holder.uid) ?? 0;
      if (count >= requestsMax) throw tooMany();
      open.set(holder.uid, count + 1);
      try {
        const body = await exchange.readBody();
        refuseBatch(body);
        // Loaded at the first request: most services never need it.
        const { answer } = await import('./answer.ts');
        return await answer(exchange, body, {
          innerUrl: innerUrl(),
          publicUrl: publicUrl(exchange),
        });
      } finally {
        const left = (open.get(holder.uid) ?? 1) - 1;
        if (left === 0) open.delete(holder.uid);
        else open.set(holder.uid, left);
      }
    },
  };
}

/**
 * A batch would do the work of a hundred requests at a time, and could cancel a call of its own, which then has no
 * answer. The protocol has had none since its version of 2025-06-18.
 */
function refuseBatch(body: Buffer): void {
  const firstByte = body.find((byte) => byte > 0x20);
  if (firstByte !== '['.charCodeAt(0)) return;
  throw new AppError('BAD_REQUEST', 'The body must be one JSON-RPC message, not a batch of them.');
}

function tooMany(): AppError {
  return new AppError(
    'OVERLOADED',
    `The organization has ${requestsMax} requests to /mcp that are not answered yet, the most there can be. Send it again in a moment.`,
    { reason: 'mcp', retryAfterSeconds },
  );
}
