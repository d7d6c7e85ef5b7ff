/** `platen mcp`: the MCP server on standard input and output, for a running service. */
import { serveStdio } from '../mcp/stdio.ts';
import { exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { openRunningService } from './running-service.ts';
import type { ServiceOptions } from './running-service.ts';

export async function serveMcp(options: ServiceOptions): Promise<ExitCode> {
  const { client } = await openRunningService(options);
  await serveStdio(client);
  return exitCodes.ok;
}
