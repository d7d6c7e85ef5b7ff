/** One object of every kind in a service, made as a client makes them, and all that the service then shows of them. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { createCampaign, waitForRun, withKey } from '../mailings/campaigns/campaign-client.ts';
import { imageLayer, textLayer } from '../e2e/published.ts';
import { demoKey, eventually } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import type { Answer } from '../e2e/request.ts';
import { pixelsOf, publish, put } from './table-calls.ts';

export const key = { 'X-API-Key': demoKey };

/** What later calls need to know of it. */
export interface Content {
  campaign: string;
  asset: string;
  /** Of a link that is there, and of one that was deleted. */
  token: string;
  goneToken: string;
}

export const lobster = readFileSync(
  fileURLToPath(
    import.meta.resolve('@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf'),
  ),
);
export const photo = readFileSync(new URL('../golden/images/exif-6.jpg', import.meta.url));

export function send(
  { get }: Pick<Service, 'get'>,
  method: string,
  path: string,
  body?: object | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return get(path, {
    method,
    headers: { ...key, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
  });
}

/** Makes everything, with a data table of `rows` rows; some of each kind is deleted again. */
export async function fillService(t: Test, service: Service, rows: number): Promise<Content> {
  const call = async (method: string, path: string, body?: object | Buffer): Promise<unknown> => {
    const answer = await send(service, method, path, body);
    t.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
    return answer.text === '' ? undefined : answer.json();
  };
  const idOf = (body: unknown): string => String((body as { id: unknown }).id);

  const lines = Array.from({ length: rows }, (_, row) => `k${row},Name ${row} é 日本`);
  t.equal((await put(service, 'members', `id,name\n${lines.join('\n')}\n`)).status, 201);
  t.equal((await put(service, 'gone', 'id,name\na,b\n')).status, 201);
  await call('DELETE', '/v1/tables/gone');
  await publish(service, 'plain', {});
  await publish(service, 'card', { from: 'members.{{id}}.name' });
  await call('PATCH', '/v1/templates/card', { folder: 'Spring', tags: ['é', '日本'] });
  await publish(service, 'gone', {});
  await call('DELETE', '/v1/templates/gone');
  await call('POST', '/v1/templates/card/signing-keys');

  const font = idOf(await call('POST', '/v1/fonts?family=Our+Brand', lobster));
  const asset = idOf(await call('POST', '/v1/assets', photo));
  const framed = {
    format: 1,
    name: 'framed',
    width: 80,
    height: 40,
    variables: [],
    layers: [imageLayer(asset), textLayer('Brand', { fontFamily: 'Our Brand' })],
  };
  await call('POST', '/v1/templates?uid=framed', framed);
  await call('POST', '/v1/templates/framed/publish', { note: 'The first.' });
  t.match(await send(service, 'DELETE', `/v1/fonts/${font}`), { status: 409 });

  await call('POST', '/v1/templates/card/comments', { layer: 'x', text: 'Larger? é' });
  const hidden = await call('POST', '/v1/templates/card/comments', { layer: 'x', text: 'Gone' });
  await call('DELETE', `/v1/templates/card/comments/${idOf(hidden)}`);
  await call('PUT', '/v1/brand', {
    colors: [{ id: 'red', name: 'Red', value: '#ff0000' }],
    textStyles: [],
    logos: [],
    fonts: [],
  });
  // No event of these objects, whose message would fail at any later moment.
  const webhook = { url: 'https://127.0.0.1:80/hook', events: ['template.failing'] };
  await call('POST', '/v1/webhooks', webhook);
  await call('POST', '/v1/keys', { name: 'mail', scopes: ['read'] });
  const second = await call('POST', '/v1/keys', { name: 'revoked', scopes: ['read'] });
  await call('DELETE', `/v1/keys/${idOf(second)}`);

  const tokens: string[] = [];
  for (const name of ['Short', 'Deleted']) {
    const body = { values: { name }, response: 'url', short: true };
    const { url } = (await call('POST', '/v1/render/plain', body)) as { url: string };
    tokens.push(/\/r\/(\w+)/.exec(url)?.[1] ?? '');
  }
  const [token = '', goneToken = ''] = tokens;
  await call('DELETE', `/v1/short-links/${goneToken}`);
  return { asset, token, goneToken, campaign: await runCampaigns(t, service) };
}

/** Makes a campaign with results, and one that is deleted. */
async function runCampaigns(t: Test, service: Service): Promise<string> {
  const gone = await campaignOf(t, service, 200);
  t.equal((await send(service, 'DELETE', `/v1/campaigns/${gone}`)).status, 204);
  const id = await campaignOf(t, service, 200);
  const made = await waitForRun(withKey(service, demoKey), id);
  t.match(made, { state: 'finished', counts: { links: 200 } });
  return id;
}

/** Starts to make links of a list of so many rows. */
export async function campaignOf(t: Test, service: Service, rows: number): Promise<string> {
  const people = Array.from({ length: rows }, (_, row) => `p${row}@example.com,Person ${row}`);
  const list = `email,name\n${people.join('\n')}\n`;
  const asked = withKey(service, demoKey);
  const { status, body } = await createCampaign(asked, 'plain', 'links', list);
  t.equal(status, 202);
  return body.id;
}

const ofThisCall = /"(last_used_at|requestId)":("[^"]*"|null)/g;

/** All that clients see of it: answers as text without what the call itself changes, and the pixels of links. */
export async function seenOf(
  service: Service,
  { campaign, asset, token, goneToken }: Content,
): Promise<Record<string, string>> {
  const paths = [
    '/v1/templates?folder=Spring',
    '/v1/templates?archived=true',
    ...['card', 'framed', 'gone'].map((uid) => `/v1/templates/${uid}`),
    '/v1/templates/framed/document',
    '/v1/templates/framed/versions',
    '/v1/templates/card/comments',
    '/v1/templates/card/signing-keys',
    '/v1/tables',
    '/v1/tables/members',
    '/v1/tables/gone',
    '/v1/assets',
    `/v1/assets/${asset}`,
    '/v1/fonts',
    '/v1/brand',
    '/v1/keys',
    '/v1/webhooks',
    '/v1/campaigns',
    `/v1/campaigns/${campaign}`,
    `/v1/campaigns/${campaign}/rows`,
    `/v1/campaigns/${campaign}/links.csv`,
    `/r/${goneToken}`,
  ];
  const images = [
    '/v1/render/card.png?id=k7',
    '/v1/render/framed.png',
    '/v1/render/plain.png?name=Ann',
    '/v1/render/gone.png',
    `/r/${token}.png`,
  ];
  const seen: Record<string, string> = {};
  for (const path of [...paths, ...images]) {
    const { status, headers, body, text } = await answerOf(service, path);
    const isImage = headers['content-type'] === 'image/png';
    const shown = isImage ? (await pixelsOf(body)).toString('base64') : text;
    seen[path] = `${status} ${shown.replaceAll(ofThisCall, '"$1":null')}`;
  }
  return seen;
}

/** The answer of a service that starts on a busy machine: a link that is refused for want of capacity is asked for again, as clients do. */
async function answerOf(service: Service, path: string): ReturnType<Service['get']> {
  let answer = await service.get(path, { headers: key });
  await eventually(async () => {
    if (answer.status !== 503 || !answer.text.includes('"OVERLOADED"')) return true;
    answer = await service.get(path, { headers: key });
    return false;
  });
  return answer;
}
