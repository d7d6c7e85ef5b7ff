/** The node for n8n: its declared requests, with n8n's expressions filled in, work on a service. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { demoKey, startService } from '../e2e/service.ts';

const folder = join(import.meta.dirname, '../../integrations/n8n-nodes-platen');
const require = createRequire(import.meta.url);

interface DeclaredRequest {
  method?: string;
  baseURL?: string;
  url: string;
  qs?: Record<string, unknown>;
  body?: object;
  encoding?: string;
}

interface Operation {
  value: string;
  routing: {
    request: DeclaredRequest;
    send?: { paginate: boolean };
    operations?: {
      pagination: {
        type: string;
        properties: { continue: string; request: { qs: Record<string, unknown> } };
      };
    };
    output?: { postReceive: { type: string; properties: { property?: string } }[] };
  };
}

interface Property {
  name: string;
  options?: Operation[];
  routing?: { send: { property: string } };
  typeOptions?: { loadOptions: { routing: Operation['routing'] } };
}

const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  n8n: { credentials: [string]; nodes: [string] };
};
const { PlatenApi } = require(join(folder, manifest.n8n.credentials[0])) as {
  PlatenApi: new () => {
    authenticate: { properties: { headers: Record<string, string> } };
    test: { request: DeclaredRequest };
  };
};
const { Platen } = require(join(folder, manifest.n8n.nodes[0])) as {
  Platen: new () => {
    description: { icon: string; requestDefaults: { baseURL: string }; properties: Property[] };
  };
};
const credential = new PlatenApi();
const { description } = new Platen();

/** A text that begins with = has expressions, which n8n evaluates; these name credentials and parameters alone. */
function fill(text: string, base: string): string {
  return text
    .replace(/^=/, '')
    .replaceAll(/\{\{\s*\$credentials\.baseUrl\s*\}\}/g, base)
    .replaceAll(/\{\{\s*\$credentials\.apiKey\s*\}\}/g, demoKey)
    .replaceAll(/\{\{\s*\$parameter\["template"\]\s*\}\}/g, 'hello');
}

async function send(
  {
    method = 'GET',
    baseURL = description.requestDefaults.baseURL,
    url,
    qs = {},
    body,
  }: DeclaredRequest,
  base: string,
  parameters: object = {},
): Promise<Response> {
  const query = new URLSearchParams(
    Object.entries(qs).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const address = `${fill(baseURL, base)}${fill(url, base)}?${query.toString()}`;
  t.notMatch(address, /\{\{/, 'every expression is known');
  const { headers } = credential.authenticate.properties;
  return fetch(address, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, fill(value, base)]),
      ),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify({ ...body, ...parameters }) }),
  });
}

/** The value of a parameter as n8n evaluates it, with the last answer. */
function evaluate(value: unknown, $response: object): unknown {
  const expression = typeof value === 'string' ? /^=\{\{(.*)\}\}$/.exec(value)?.[1] : undefined;
  return expression === undefined ? value : runInNewContext(expression, { $response });
}

/** Versions of all listed templates by uid, read as n8n reads pages: the query of a page replaces that of the request. */
async function readAll(
  routing: Operation['routing'] | undefined,
  base: string,
): Promise<Map<string, number | null>> {
  const { pagination } = routing?.operations ?? {};
  if (routing === undefined || pagination === undefined) throw new Error('a list is not declared');
  t.same([routing.send?.paginate, pagination.type], [true, 'generic']);
  const root = routing.output?.postReceive[0]?.properties.property ?? '';
  const listed = new Map<string, number | null>();
  let response = {};
  do {
    const qs = Object.fromEntries(
      Object.entries(pagination.properties.request.qs).map(([name, value]) => [
        name,
        evaluate(value, response),
      ]),
    );
    const answer = await send({ ...routing.request, qs }, base);
    t.equal(answer.status, 200);
    const body = (await answer.json()) as Record<string, { uid: string; version: number | null }[]>;
    for (const { uid, version } of body[root] ?? []) listed.set(uid, version);
    response = { body };
  } while (evaluate(pagination.properties.continue, response) === true);
  return listed;
}

t.test('each operation of the node is a request that the API answers', async (t) => {
  const { base } = await startService(t);
  t.ok(existsSync(join(folder, 'nodes/Platen', description.icon.replace('file:', ''))));
  t.equal((await send(credential.test.request, base)).status, 200, 'the credential is tested');

  const properties = new Map(description.properties.map((each) => [each.name, each]));
  const operations = new Map(
    properties.get('operation')?.options?.map(({ value, routing }) => [value, routing]),
  );
  t.same([...operations.keys()], ['renderLink', 'renderImage', 'listTemplates']);
  const sent = description.properties.flatMap(({ routing }) => routing?.send.property ?? []);
  t.same(sent, ['values', 'format']);
  const parameters = { values: { name: 'Amanda' }, format: 'png' };
  const requestOf = (name: string): DeclaredRequest => {
    const routing = operations.get(name);
    if (routing === undefined) throw new Error(`${name} is not declared`);
    return routing.request;
  };

  const link = await send(requestOf('renderLink'), base, parameters);
  const { url, alt } = (await link.json()) as { url: string; alt: string };
  t.equal(alt, 'Hello, Amanda!');
  t.equal((await fetch(url)).status, 200);

  const image = await send(requestOf('renderImage'), base, parameters);
  t.equal(image.headers.get('Content-Type'), 'image/png');
  t.equal(requestOf('renderImage').encoding, 'arraybuffer');

  // More than a page of drafts, newer than every published template.
  const drafts = Array.from({ length: 101 }, (_, index) => `draft-${index}`);
  for (const uid of drafts) {
    // The service takes few documents at a time.
    const created = await send({ method: 'POST', url: '/v1/templates/hello/duplicate' }, base, {
      uid,
    });
    t.equal(created.status, 201, uid);
  }
  const listed = await readAll(operations.get('listTemplates'), base);
  for (const uid of drafts) t.ok(listed.has(uid), uid);
  const routing = properties.get('template')?.typeOptions?.loadOptions.routing;
  const chosen = await readAll(routing, base);
  const published = [...listed].filter(([, version]) => version !== null);
  t.ok(published.length > 5);
  t.same(chosen, new Map(published), 'published templates alone can be chosen');
});
