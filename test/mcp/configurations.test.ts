/** The configurations of the page for agents connect the client of the official SDK. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import t from 'tap';
import { demoKey, shareService } from '../e2e/service.ts';

const repository = join(import.meta.dirname, '../..');

interface HttpServer {
  url: string;
  headers: Record<string, string>;
}

interface StdioServer {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** In the order of the page. */
function documentedServers(): [HttpServer, StdioServer] {
  const page = readFileSync(join(repository, 'docs/mcp.md'), 'utf8');
  const blocks = [...page.matchAll(/^```json\n([^]*?)^```/gm)].map(
    ([, block = '']) => JSON.parse(block).mcpServers.platen,
  );
  t.equal(blocks.length, 2);
  return blocks as [HttpServer, StdioServer];
}

t.test('the configurations of the page connect a client', async (t) => {
  const { base } = await shareService();
  const adapt = (text: string): string =>
    text
      .replace('https://images.example.com', base)
      .replace('/opt/platen/current', repository)
      .replace('<API_KEY>', demoKey);
  const adaptAll = (fields: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, adapt(text)]));
  const [http, stdio] = documentedServers();
  const transports = [
    new StreamableHTTPClientTransport(new URL(adapt(http.url)), {
      requestInit: { headers: adaptAll(http.headers) },
    }),
    new StdioClientTransport({
      command: adapt(stdio.command),
      args: stdio.args.map(adapt),
      env: adaptAll(stdio.env),
    }),
  ];
  for (const transport of transports) {
    const client = new Client({ name: 'test', version: '1.0.0' });
    // oxlint-disable-next-line no-await-in-loop -- two
    await client.connect(transport);
    t.teardown(() => client.close());
    // oxlint-disable-next-line no-await-in-loop
    const answer = await client.callTool({ name: 'list_templates', arguments: {} });
    t.match(JSON.stringify(answer), 'welcome-banner');
  }
});
