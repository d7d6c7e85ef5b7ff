/**
 * `POST /mcp`: the MCP server by streamable HTTP, with the keys of the API. It is stateless: each request gets an
 * answer as JSON, without sessions and without a stream of server messages.
 */
import { isTooMuchJson } from '#language/check/json-text.ts';
import { AppError } from '../foundation/errors.ts';
import { OrganizationSlots } from '../foundation/organization-slots.ts';
import { organizationShares } from '../foundation/thread-shares.ts';
import { requireValidKey } from '../http/api-key.ts';
import type { KeyHolders } from '../http/api-key.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Route } from '../http/route.ts';
import { readMessage } from './message.ts';

/** Upper bound of the body in bytes, as for a draft: a template document with its values, or a list, inside JSON. */
const bodyBytesMax = 1024 * 1024;
/** Requests hold their bodies until answered, up to 20 s for a proof. All may hold half of what uploads may. */
const slots = new OrganizationSlots({
  what: 'requests to /mcp are being answered',
  organizationMax: 4,
  countMax: 16,
  reason: 'mcp',
});

export interface McpParts {
  organizations: KeyHolders<{ uid: string }>;
  /** The address of the internal server, which only this process calls. */
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
      const holder = requireValidKey(exchange.apiKey, organizations);
      exchange.organizationUid = holder.uid;
      return slots.use(holder.uid, async () => {
        const body = await exchange.readBody();
        await organizationShares.take(holder.uid, body.length);
        refuseBatch(body);
        if (isTooMuchJson(body)) {
          throw new AppError(
            'BAD_REQUEST',
            'The JSON of the body is nested too deep, or has an object with too many properties.',
          );
        }
        const message = readMessage(body);
        // Loaded at the first request: most services never need it.
        const { answer } = await import('./answer.ts');
        const addresses = { innerUrl: innerUrl(), publicUrl: publicUrl(exchange) };
        return answer(exchange, { body, message }, addresses);
      });
    },
  };
}

/**
 * Throws BAD_REQUEST for a batch. A batch would do the work of a hundred requests, and could cancel one of its calls,
 * which then has no answer. The protocol has no batches since its version of 2025-06-18.
 */
function refuseBatch(body: Buffer): void {
  const firstByte = body.find((byte) => byte > 0x20);
  if (firstByte !== '['.charCodeAt(0)) return;
  throw new AppError('BAD_REQUEST', 'The body must be one JSON-RPC message, not a batch of them.');
}
