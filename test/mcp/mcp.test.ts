/** The MCP server, asked by the client of the official SDK over both transports. */
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
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

async function connectHttp(t: Test, headers: Record<string, string>) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const url = new URL(`${base}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  t.teardown(() => client.close());
  return client;
}

const { base } = await shareService();

t.test('an agent makes a template from nothing, and returns a link that works', async (t) => {
  const client = await connectHttp(t, { Authorization: `Bearer ${demoKey}` });
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
  const closed = { uid, document: { ...greeting, linkAuth: 'key' } };
  t.match((await call(client, 'save_draft', closed)).text, '"code": "ACCESS_IGNORED"');
  t.match((await call(client, 'describe_template', { uid })).text, '"linkAuth": "open"');
  await call(client, 'save_draft', { uid, document: greeting });
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
  const prove = async (input: object) =>
    JSON.parse((await call(client, 'prove_list', input)).text) as { campaign?: string };
  let proof = await prove({ uid, list });
  // The processes of campaigns have the lowest priority, and an agent does what a late answer says.
  for (let asked = 1; proof.campaign !== undefined && asked < 10; asked += 1) {
    t.match(proof, { state: /queued|running/, next: 'call prove_list with this campaign' });
    proof = await prove({ campaign: proof.campaign });
  }
  t.match(proof, { state: 'finished', rows: 2, faulty_rows: [{ row: 2 }] });
  const kept = await fetch(`${base}/v1/campaigns`, { headers: { 'X-API-Key': demoKey } });
  t.notMatch(await kept.text(), 'Proof of an agent', 'the list is deleted after its proof');
});

t.test('errors say what to do, and a key does what its scopes allow', async (t) => {
  const client = await connectHttp(t, { 'X-API-Key': demoKey });
  const draft = 'draft-of-an-agent';
  await call(client, 'save_draft', { uid: draft, document: greeting });
  const cases = [
    ['describe_template', { uid: 'nothing-here' }, /not found.*list_templates/is],
    ['publish_template', { uid: 'nothing-here' }, /not found\. Call list_templates for the uids/],
    [
      'render_link',
      { uid: draft },
      /is not published here\. .* Publish a draft with publish_template/,
    ],
    ['prove_list', { uid: draft, list: 'name\nAmanda\n' }, /is not published here\. Call/],
    ['prove_list', { campaign: 'zzz' }, /Campaign not found\. Call prove_list with uid and list:/],
    ['save_draft', { uid: 'broken', document: { format: 1 } }, /- layers? |needs/],
    ['save_draft', { uid: 'a b' }, /not valid\.[^]*- uid/],
    ['render_link', { uid: 'hello', scale: 9 }, /- scale/],
    ['no_such_tool', {}, /tools are list_templates/],
    ['prove_list', { uid: 'hello' }, /Give uid and list/],
    ['prove_list', { campaign: '' }, /not valid\.\n- campaign/],
    ['prove_list', { campaign: '..' }, /not valid\.\n- campaign/],
  ] as const;
  for (const [name, input, expected] of cases) {
    const { text, isError } = await call(client, name, input);
    t.match(text, expected, name);
    t.equal(isError, true, name);
  }

  const reader = await connectHttp(t, { 'X-API-Key': await createKey(['read']) });
  t.equal((await call(reader, 'describe_template', { uid: 'hello' })).isError, false);
  const refused = await call(reader, 'publish_template', { uid: 'hello' });
  t.match(refused.text, /lacks the scope "write".*Ask for an API key/s);
});

async function createKey(scopes: readonly string[]): Promise<string> {
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
    const client = await connectHttp(t, { 'X-API-Key': await createKey(scopes) });
    clients.set(scopes.join(), client);
    return client;
  };
  for (const [, name = '', cell = ''] of rows) {
    const scopes = [...cell.matchAll(/`(\w+)`/g)].map(([, scope = '']) => scope);
    // A key has at least one scope.
    // Each needs what the one before has made.
    const allowed = await clientWith(scopes.length === 0 ? ['render'] : scopes);
    t.match(await call(allowed, name, validInputs[name]), { isError: false }, name);
    for (const scope of scopes) {
      const lacking = await clientWith(['read', 'render', 'write'].filter((has) => has !== scope));
      const { text } = await call(lacking, name, validInputs[name]);
      t.match(text, `lacks the scope "${scope}"`, name);
    }
  }
});

t.test('a preview of a large design is smaller than it', async (t) => {
  const client = await connectHttp(t, { 'X-API-Key': demoKey });
  const large = { ...greeting, width: 3000, height: 2000 };
  const { image } = await call(client, 'preview_template', { document: large });
  const { width, height } = await sharp(Buffer.from(image?.data ?? '', 'base64')).metadata();
  t.same([width, height], [1500, 1000]);
  t.match((await call(client, 'preview_template')).text, /Give uid or document/);
});

t.test('the configurations of the page connect a client', async (t) => {
  const adapt = (text: string): string =>
    text
      .replace('https://images.example.com', base)
      .replace('/opt/platen/current', repository)
      .replace('<API_KEY>', demoKey);
  const adaptAll = (fields: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, adapt(text)]));
  const page = readFileSync(join(repository, 'docs/mcp.md'), 'utf8');
  const [http, stdio] = [...page.matchAll(/^```json\n([^]*?)^```/gm)].map(
    ([, block = '']) => JSON.parse(block).mcpServers.platen,
  ) as [
    { url: string; headers: Record<string, string> },
    { command: string; args: string[]; env: Record<string, string> },
  ];
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
    await client.connect(transport);
    t.teardown(() => client.close());
    const answer = await client.callTool({ name: 'list_templates', arguments: {} });
    t.match(JSON.stringify(answer), 'welcome-banner');
    t.equal((await client.listTools()).tools.length, 8);
  }
});

/** A request of MCP without its client, and how it is sent. */
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const key = { 'X-API-Key': demoKey };
const protocol = {
  Accept: 'application/json, text/event-stream',
  'Content-Type': 'application/json',
};
const post = (body: string, headers: Record<string, string> = key): Promise<Response> =>
  fetch(`${base}/mcp`, { method: 'POST', body, headers: { ...protocol, ...headers } });

t.test('requests without a key, too large, or of no protocol are refused', async (t) => {
  t.equal((await post(ping, {})).status, 401);
  t.equal((await post(ping, { 'X-API-Key': 'wrong' })).status, 401);
  t.same(await (await post(ping)).json(), { jsonrpc: '2.0', id: 1, result: {} });
  t.equal((await post('{')).status, 400);
  const batch = await post(` [${ping}]`);
  t.equal(batch.status, 400);
  t.match(await batch.json(), { error: /one JSON-RPC message/ });
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`k${index}`, 0]));
  const callOf = (given: object): string =>
    JSON.stringify({ method: 'tools/call', params: { name: 'x', arguments: given } });
  for (const [body, error] of [
    [JSON.stringify({ method: 'initialize', params: { icons: [many] } }), /500 values/],
    [callOf(many), /50 arguments/],
  ] as const) {
    const wide = await post(body);
    t.equal(wide.status, 400);
    t.match(await wide.json(), { error });
  }
  // The values of a template are counted where they are read.
  t.notMatch(await (await post(callOf({ values: many }))).text(), /values beside/);
  t.equal((await post(`"${'x'.repeat(1024 * 1024)}"`)).status, 413);
  t.equal((await post(ping, { ...key, Accept: 'text/html' })).status, 406);
  t.equal((await fetch(`${base}/mcp`, { headers: key })).status, 405, 'there is no stream');
});

t.test(
  'an organization has four requests open at a time, and the next one comes again',
  async (t) => {
    const unfinished = Array.from({ length: 4 }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      const request = httpRequest(`${base}/mcp`, {
        method: 'POST',
        headers: { ...protocol, ...key, 'Content-Length': ping.length },
      });
      request.on('response', (response) => resolve(response.resume().statusCode));
      request.on('error', reject);
      request.write(ping.slice(0, 10));
      return { request, answered: promise };
    });
    let next = await post(ping);
    // Until all four are there.
    while (next.status === 200) next = await post(ping);
    t.equal(next.status, 503);
    t.equal(next.headers.get('Retry-After'), '5');
    for (const { request } of unfinished) request.end(ping.slice(10));
    t.same(await Promise.all(unfinished.map(({ answered }) => answered)), [200, 200, 200, 200]);
    t.equal((await post(ping)).status, 200);
  },
);
