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

export interface McpParts {
  organizations: KeyHolders<unknown>;
  /** The address of the server that takes requests of this process alone. */
  innerUrl: () => string;
  publicUrl: (exchange: Exchange) => string;
}

export function mcpRoute({ organizations, innerUrl, publicUrl }: McpParts): Route {
  return {
    name: 'mcp',
    path: '/mcp',
    errorShape: 'organization',
    bodyBytesMax,
    async post(exchange) {
      if (organizations.findByKey(exchange.apiKey) === undefined) {
        throw new AppError('UNAUTHORIZED', 'Invalid API key', { reason: 'key' });
      }
      const body = await exchange.readBody();
      // Loaded at the first request: most services never need it.
      const { answer } = await import('./answer.ts');
      return answer(exchange, body, { innerUrl: innerUrl(), publicUrl: publicUrl(exchange) });
    },
  };
}
