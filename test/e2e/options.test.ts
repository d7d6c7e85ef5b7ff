/** Options of links as they are drawn: those of the newest version, and the sizes of one template in every kind of render. */
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { createCampaign, key, waitForRun } from '../mailings/campaigns/campaign-client.ts';
import { checkSame } from './image-bytes.ts';
import { fillDataDirectory, textLayer, textVariable } from './published.ts';
import type { Answer } from './request.ts';
import { checkError } from './request.ts';
import { startService } from './service.ts';

const variables = [textVariable('name', 'friend')];
const layers = [textLayer('{{name}}')];
const sizes = [
  { name: 'story', width: 60, height: 100 },
  { name: 'banner', width: 300, height: 30 },
];
const box: Layer = {
  id: 'box',
  type: 'rect',
  x: 200,
  y: 0,
  width: 40,
  height: 40,
  fill: '#ff0000',
  bySize: { story: { x: 0, y: 60, width: 60 }, banner: { visible: false } },
};
const title: Layer = {
  ...textLayer('{{name}}'),
  bySize: { story: { width: 60, fontSize: 12, align: 'center' }, banner: { x: 20, height: 30 } },
};
const sized: Partial<Template> = { variables, layers: [title, box], sizes };
const missing: Layer = {
  id: 'photo',
  type: 'image',
  x: 0,
  y: 0,
  width: 20,
  height: 20,
  src: 'https://images.invalid/a.png',
  visible: false,
  bySize: { story: { visible: true } },
};

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveDraft }) => {
  publish('plain', { variables, layers });
  publish('versions', { variables, layers, linkOptions: ['scale'] });
  publish('versions', { variables, layers });
  publish('sized', sized);
  publish('covered', { ...sized, onError: 'image' });
  publish('closed', { ...sized, linkOptions: ['scale'] });
  publish('named', { ...sized, variables: [...variables, textVariable('_size', 'story')] });
  saveDraft('undrawable', { ...sized, layers: [title, box, missing] });
});
const service = await startService(t, { dataDirectory });

function send(path: string, body: unknown, headers = {}): Promise<Answer> {
  return service.get(path, {
    method: 'POST',
    headers: { ...key, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

t.test('the access says which options links of all versions have', async (t) => {
  const webp = await service.render('versions.webp?_version=1');
  t.match(checkError(t, webp, 400, 'BAD_REQUEST'), /_format/);
});

t.test('a link draws the size that it names, else the canvas of the document', async (t) => {
  const areas: [query: string, width: number, height: number][] = [
    ['', 240, 40],
    ['?_size=', 240, 40],
    ['?_size=story', 60, 100],
    ['?_size=banner&_scale=2', 600, 60],
  ];
  const tags = new Set<string | undefined>();
  for (const [query, widthPx, heightPx] of areas) {
    const { body, headers } = await service.render(`sized${query}`);
    t.match(await sharp(body).metadata(), { width: widthPx, height: heightPx }, query);
    tags.add(headers.etag);
    const condition = { 'If-None-Match': String(headers.etag) };
    const changed = await service.render('sized?_size=story&x=1', { headers: condition });
    t.equal(changed.status, query === '?_size=story' ? 304 : 200, query);
  }
  t.equal(tags.size, 3);
  const named = await service.render('named?_size=story');
  t.match(await sharp(named.body).metadata(), { width: 240, height: 40 }, 'a variable wins');
});

t.test('an unknown or forbidden size is refused in words, and left out for readers', async (t) => {
  const cases: [path: string, message: RegExp][] = [
    ['sized?_size=square', /_size must be one of story, banner, or left out/],
    ['sized?_size=constructor', /one of story, banner/],
    ['plain?_size=story', /_size must be left out: this template has no sizes/],
    ['closed?_size=story', /_size is not allowed: links of this template take _scale only/],
  ];
  for (const [path, message] of cases) {
    t.match(checkError(t, await service.render(path), 400, 'BAD_REQUEST'), message, path);
  }
  const answer = await service.render('covered?_size=square&name=Zoe');
  t.equal(answer.headers['x-render-error'], 'BAD_REQUEST');
  await checkSame(t, answer, await service.render('covered?name=Zoe'), 'the canvas');
  const long = await service.render(`covered?_size=story&name=${'x'.repeat(2001)}`);
  t.match(await sharp(long.body).metadata(), { width: 60, height: 100 }, 'a known size is kept');
});

t.test('a JSON render and a preview have the size of their body', async (t) => {
  const link = await service.render('sized?name=Jo&_size=story');
  const body = { values: { name: 'Jo' }, size: 'story' };
  t.ok((await send('/v1/render/sized', body)).body.equals(link.body), 'the same bytes');
  const made = (await send('/v1/render/sized', { ...body, response: 'url' })).json();
  t.match(made, { url: /_size=story/, width: 60, height: 100 });
  const wrong = await send('/v1/render/sized', { size: 'square' });
  t.match(checkError(t, wrong, 400, 'BAD_REQUEST'), /_size must be one of story, banner/);
  await checkSame(t, await send('/v1/preview', { uid: 'sized', ...body }), link, 'a preview');
  const accept = { Accept: 'application/json' };
  const report = await send('/v1/preview', { uid: 'sized', size: 'story' }, accept);
  const { layers: shown } = report.json() as { layers: { id: string; box: object }[] };
  t.match(shown.find(({ id }) => id === 'box')?.box, { x: 0, y: 60, width: 60, height: 40 });
  for (const [uid, message] of [
    ['sized', /is "square", expected story or banner/],
    ['plain', /is "square", expected none/],
  ] as const) {
    const answer = await send('/v1/preview', { uid, size: 'square' });
    t.match(answer.json(), { details: [{ path: 'size', message }] });
  }
});

t.test('details, documents and publishing know of sizes', async (t) => {
  const read = async (path: string): Promise<unknown> =>
    (await service.get(`/v1/templates/${path}`, { headers: key })).json();
  t.match(await read('sized'), { width: 240, height: 40, sizes });
  t.match(await read('plain'), { sizes: [] });
  t.match(await read('sized/document'), { sizes, layers: [{ bySize: title.bySize }] });
  const answer = await send('/v1/templates/undrawable/publish', {});
  t.equal(answer.status, 400);
  t.match(answer.text, /cannot be published.*"photo.*\(in the size \\"story\\"\)/);
});

t.test('the links of a campaign carry its size', async (t) => {
  const create = (size: string) =>
    createCampaign(service, 'sized', 'links', 'name\nZoe\nBo\n', {
      options: JSON.stringify({ size }),
    });
  const { body } = await create('story');
  t.match(await waitForRun(service, body.id), { state: 'finished', done: 2 });
  const links = (await service.get(`/v1/campaigns/${body.id}/links.csv`, { headers: key })).text;
  const [, link = ''] = /(\/v1\/render\/\S*name=Zoe[^\s,"]*)/.exec(links) ?? [];
  t.match(link, /_size=story/);
  t.match(await sharp((await service.get(link)).body).metadata(), { width: 60, height: 100 });
  t.match((await create('square')).answer.text, /_size must be one of story, banner/);
});
