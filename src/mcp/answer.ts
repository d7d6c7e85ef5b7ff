/** Answers one request of the MCP server by HTTP. */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { PlatenClient } from '../client/platen-client.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonHeaders } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import { createMcpServer } from './server.ts';

/** Answers a message. A tool needs the scopes of its calls, which go through the API with the caller's key. */
export async function answer(
  exchange: Exchange,
  { body, message }: { body: Buffer; message: unknown },
  { innerUrl, publicUrl }: { innerUrl: string; publicUrl: string },
): Promise<Reply> {
  const server = createMcpServer({
    client: new PlatenClient({ baseUrl: innerUrl, apiKey: exchange.apiKey }),
    publicLink(link) {
      const { pathname, search } = new URL(link);
      return publicUrl + pathname + search;
    },
  });
  // Without `sessionIdGenerator` there are no sessions.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const request = requestOf(exchange, body);
    const response = await transport.handleRequest(request, { parsedBody: message });
    return await replyOf(response);
  } finally {
    await server.close();
  }
}

/** The request for the transport, which refuses requests without these headers. */
function requestOf({ accept, contentType, path }: Exchange, body: Buffer): Request {
  return new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: { Accept: accept, 'Content-Type': contentType },
    body: new Uint8Array(body),
  });
}

async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text();
  const { status } = response;
  if (text === '') return { status, headers: ['Cache-Control', 'no-store'] };
  return { status, headers: jsonHeaders, body: text };
}
