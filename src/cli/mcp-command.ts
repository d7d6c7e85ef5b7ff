/** `platen mcp`: the MCP server on standard input and output, for a running service. */
import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer } from '../mcp/server.ts';
import { exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { openRunningService } from './running-service.ts';
import type { ServiceOptions } from './running-service.ts';

/** Runs until the client closes standard input. Standard output carries only messages of the protocol. */
export async function serveMcp(options: ServiceOptions): Promise<ExitCode> {
  const { client } = await openRunningService(options);
  const server = createMcpServer({ client, publicLink: (link) => link });
  await server.connect(new StdioServerTransport());
  await once(process.stdin, 'end');
  await server.close();
  return exitCodes.ok;
}
