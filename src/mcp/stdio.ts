/** The entrance of the command line: the MCP server on standard input and output. */
import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { PlatenClient } from '../client/platen-client.ts';
import { createMcpServer } from './server.ts';

/** Runs until the client of the protocol closes standard input. Standard output carries only messages of the protocol. */
export async function serveStdio(client: PlatenClient): Promise<void> {
  const server = createMcpServer({ client, publicLink: (link) => link });
  await server.connect(new StdioServerTransport());
  await once(process.stdin, 'end');
  await server.close();
}
