/** The MCP server, asked by the client of the official SDK over both transports. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import sharp from 'sharp';
import t from 'tap';
import type { Test } from 'tap';
import { demoKey, shareService } from '../e2e/service.ts';

const repository = join(import.meta.dirname, '../..');

const greeting = {
  format: 1,
  name: 'Greeting of an agent',
  width: 300,
  height: 100,
  variables: [{ name: 'name', type: 'text', value: 'world' }],
  layers: [{ id: 'text', type: 'text', text: 'Hi {{name}}', x: 10, y: 10, width: 280, height: 80 }],
};

interface Answer {
  isError: boolean;
  text: string;
  image: { data: string; mimeType: string } | undefined;
}

async function call(client: Client, name: string, input: object = {}): Promise<Answer> {
  const { content, isError } = (await client.callTool({ name, arguments: { ...input } })) as {
    content: Array<{ type: string; text?: string; data?: string; mimeType?: string }>;
    isError?: boolean;
  };
  const image = content.find(({ type }) => type === 'image');
  return {
    isError: isError === true,
    text: content.map(({ text = '' }) => text).join('\n'),
    image: image && { data: image.data ?? '', mimeType: image.mimeType ?? '' },
  };
}

async function connectHttp(t: Test, base: string, headers: Record<string, string>) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const url = new URL(`${base}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  t.teardown(() => client.close());
  return client;
}

t.test('an agent makes a template from nothing, and returns a link that works', async (t) => {
  const { base } = await shareService();
  const client = await connectHttp(t, base, { Authorization: `Bearer ${demoKey}` });
  t.match(client.getInstructions(), /template_format/);
  const { tools } = await client.listTools();
  t.same(
    tools.map(({ name }) => name),
    [
      'list_templates',
      'describe_template',
      'template_format',
      'preview_template',
      'save_draft',
      'publish_template',
      'render_link',
      'prove_list',
    ],
  );
  for (const { name, inputSchema } of tools) {
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
      t.match(schema, { description: String }, `${name} says what ${field} is`);
    }
  }
  t.match((await call(client, 'template_format')).text, /"format": 1[^]*- Document\n/);
  const chapter = (name: string): Promise<Answer> =>
    call(client, 'template_format', { chapter: name });
  const { text } = await chapter('TEXT');
  t.match(text, /fontFamily/);
  t.notMatch(text, '<img', 'an agent reads no tables of images');
  t.ok(text.length < 25_000, `${text.length} characters`);
  t.match((await chapter('Value formats')).text, /currency:EUR/);
  t.match((await chapter('tables')).text, /There is no chapter "tables"[^]*- Document\n/);

  const uid = 'greeting-of-an-agent';
  const drawn = await call(client, 'preview_template', {
    document: greeting,
    values: { name: 'Amanda' },
  });
  t.equal(drawn.image?.mimeType, 'image/png');
  const pixels = await sharp(Buffer.from(drawn.image?.data ?? '', 'base64')).metadata();
  t.equal(pixels.width, 300);

  t.match((await call(client, 'save_draft', { uid, document: greeting })).text, '"created": true');
  t.match((await call(client, 'save_draft', { uid, document: greeting })).text, '"created": false');
  t.match((await call(client, 'publish_template', { uid, note: 'first' })).text, '"version": 1');
  t.match((await call(client, 'list_templates')).text, uid);
  t.match((await call(client, 'describe_template', { uid })).text, 'Hi {{name}}');

  const made = await call(client, 'render_link', { uid, values: { name: 'Amanda' } });
  const { url, alt } = JSON.parse(made.text) as { url: string; alt: string };
  t.ok(
    url.startsWith(`${base.replace('127.0.0.1', 'localhost')}/`) || url.startsWith(`${base}/`),
    url,
  );
  t.equal(alt, 'Hi Amanda');
  t.equal((await fetch(url)).status, 200);

  const list = `name,email\nAmanda,a@example.com\n${'Maximilian '.repeat(40)},b@example.com\n`;
  const proof = JSON.parse((await call(client, 'prove_list', { uid, list })).text) as {
    state: string;
    rows: number;
    faulty_rows: { row: number }[];
  };
  t.match(proof, { state: 'finished', rows: 2, faulty_rows: [{ row: 2 }] });
  const kept = await fetch(`${base}/v1/campaigns`, { headers: { 'X-API-Key': demoKey } });
  t.notMatch(await kept.text(), 'Proof of an agent', 'the list is deleted after its proof');
});

t.test('errors say what to do, and a key does what its scopes allow', async (t) => {
  const { base } = await shareService();
  const client = await connectHttp(t, base, { 'X-API-Key': demoKey });
  const cases = [
    ['describe_template', { uid: 'nothing-here' }, /not found.*list_templates/is],
    ['save_draft', { uid: 'broken', document: { format: 1 } }, /- layers? |needs/],
    ['save_draft', { uid: 'a b' }, /not valid\.[^]*- uid/],
    ['render_link', { uid: 'hello', scale: 9 }, /- scale/],
    ['no_such_tool', {}, /tools are list_templates/],
    ['prove_list', { uid: 'hello' }, /Give uid and list/],
    ['prove_list', { campaign: '' }, /not valid\.\n- campaign/],
    ['prove_list', { campaign: '..' }, /not valid\.\n- campaign/],
  ] as const;
  for (const [name, input, expected] of cases) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    const { text, isError } = await call(client, name, input);
    t.match(text, expected, name);
    t.equal(isError, true, name);
  }

  const reader = await connectHttp(t, base, { 'X-API-Key': await createKey(base, ['read']) });
  t.equal((await call(reader, 'describe_template', { uid: 'hello' })).isError, false);
  const refused = await call(reader, 'publish_template', { uid: 'hello' });
  t.match(refused.text, /lacks the scope "write".*Ask for an API key/s);
});

t.test('the advice for what is not found fits the tool, in sentences of its own', async (t) => {
  const { base } = await shareService();
  const client = await connectHttp(t, base, { 'X-API-Key': demoKey });
  const uid = 'draft-of-an-agent';
  await call(client, 'save_draft', { uid, document: greeting });
  const unpublished = `Template not found: "${uid}" is not published here. Call list_templates: those with the state live or changed are published. Publish a draft with publish_template.`;
  const cases = [
    [
      'publish_template',
      { uid: 'nothing-here' },
      'Template not found. Call list_templates for the uids that exist.',
    ],
    ['render_link', { uid }, unpublished],
    ['prove_list', { uid, list: 'name\nAmanda\n' }, unpublished],
    [
      'prove_list',
      { campaign: 'zzz' },
      'Campaign not found. Call prove_list with uid and list: a proof is deleted when it has been reported.',
    ],
  ] as const;
  for (const [name, input, text] of cases) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    t.match(await call(client, name, input), { isError: true, text }, name);
  }
});

async function createKey(base: string, scopes: readonly string[]): Promise<string> {
  const made = await fetch(`${base}/v1/keys`, {
    method: 'POST',
    headers: { 'X-API-Key': demoKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'key of an agent', scopes }),
  });
  return ((await made.json()) as { key: string }).key;
}

/** Arguments with which each tool succeeds, in this order. */
const validInputs: Readonly<Record<string, object>> = {
  list_templates: {},
  describe_template: { uid: 'hello' },
  template_format: {},
  preview_template: { uid: 'hello' },
  save_draft: { uid: 'scopes-of-an-agent', document: greeting },
  publish_template: { uid: 'scopes-of-an-agent' },
  render_link: { uid: 'hello' },
  prove_list: { uid: 'hello', list: 'name\nAmanda\n' },
};

t.test('a tool needs the scopes that its page names, and no others', async (t) => {
  const { base } = await shareService();
  const page = readFileSync(join(repository, 'docs/mcp.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` +\|.*\| ([^|]*) \|$/gm)];
  t.same(
    rows.map(([, name]) => name),
    Object.keys(validInputs),
  );
  const clients = new Map<string, Client>();
  const clientWith = async (scopes: readonly string[]): Promise<Client> => {
    const found = clients.get(scopes.join());
    if (found !== undefined) return found;
    const client = await connectHttp(t, base, { 'X-API-Key': await createKey(base, scopes) });
    clients.set(scopes.join(), client);
    return client;
  };
  for (const [, name = '', cell = ''] of rows) {
    const scopes = [...cell.matchAll(/`(\w+)`/g)].map(([, scope = '']) => scope);
    // A key has at least one scope.
    // oxlint-disable-next-line no-await-in-loop -- each needs what the one before has made
    const allowed = await clientWith(scopes.length === 0 ? ['render'] : scopes);
    // oxlint-disable-next-line no-await-in-loop
    t.match(await call(allowed, name, validInputs[name]), { isError: false }, name);
    for (const scope of scopes) {
      // oxlint-disable-next-line no-await-in-loop
      const lacking = await clientWith(['read', 'render', 'write'].filter((has) => has !== scope));
      // oxlint-disable-next-line no-await-in-loop
      const { text } = await call(lacking, name, validInputs[name]);
      t.match(text, `lacks the scope "${scope}"`, name);
    }
  }
});

t.test('a preview of a large design is smaller than it', async (t) => {
  const { base } = await shareService();
  const client = await connectHttp(t, base, { 'X-API-Key': demoKey });
  const large = { ...greeting, width: 3000, height: 2000 };
  const { image } = await call(client, 'preview_template', { document: large });
  const { width, height } = await sharp(Buffer.from(image?.data ?? '', 'base64')).metadata();
  t.same([width, height], [1500, 1000]);
  t.match((await call(client, 'preview_template')).text, /Give uid or document/);
});

t.test('platen mcp serves the same tools on standard input and output', async (t) => {
  const { base } = await shareService();
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: join(repository, 'node_modules/.bin/node'),
    args: [join(repository, 'dist/platen.js'), 'mcp', '--url', base],
    env: { PLATEN_API_KEY: demoKey, HOME: t.testdir() },
  });
  await client.connect(transport);
  t.equal((await client.listTools()).tools.length, 8);
  const { url } = JSON.parse((await call(client, 'render_link', { uid: 'hello' })).text) as {
    url: string;
  };
  t.equal((await fetch(url)).status, 200);
  await client.close();
});
