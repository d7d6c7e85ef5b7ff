/** The MCP server: the API of an organization as tools of an agent. A server answers one connection or request. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { manifest } from '../foundation/product.ts';
import { templateTools } from './template-tools.ts';
import type { ToolContext } from './tool.ts';
import { useTools } from './use-tools.ts';

const tools = [...templateTools, ...useTools];

const instructions =
  'Platen renders personalised images from templates through a link. To make a template: read template_format, write a document, look at it with preview_template in short, long and empty values, then save_draft, publish_template and render_link.';

export function createMcpServer(context: ToolContext): Server {
  const server = new Server(
    { name: 'platen', version: manifest.version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, title, description, schema, isReadOnly }) => ({
      name,
      title,
      description,
      // TypeBox schemas are JSON Schemas; the round trip removes their marks.
      inputSchema: JSON.parse(JSON.stringify(schema)) as { type: 'object' },
      annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const found = tools.find(({ name }) => name === params.name);
    if (found !== undefined) return found.call(params.arguments ?? {}, context);
    const names = tools.map(({ name }) => name).join(', ');
    const text = `There is no tool ${params.name}. The tools are ${names}.`;
    return { isError: true, content: [{ type: 'text' as const, text }] };
  });
  return server;
}
