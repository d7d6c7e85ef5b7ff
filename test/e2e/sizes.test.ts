/** One template in several sizes: links, JSON renders, previews, details, publishing and campaigns. */
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { createCampaign, key, waitForRun } from '../campaigns/campaign-client.ts';
import { fillDataDirectory, textLayer, textVariable } from './published.ts';
import type { Answer } from './request.ts';
import { checkError } from './request.ts';
import { startService } from './service.ts';

const variables = [textVariable('name', 'friend')];
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
  bySize: {
    story: { x: 0, y: 60, width: 60 },
    banner: { visible: false },
  },
};
const title: Layer = {
  ...textLayer('{{name}}'),
  bySize: { story: { width: 60, fontSize: 12, align: 'center' }, banner: { x: 20, height: 30 } },
};
const sized: Partial<Template> = { variables, layers: [title, box], sizes };
function withoutSizes(layer: Layer): Layer {
  const { bySize: _, ...properties } = layer;
  return properties;
}

/** The document of the story, written by hand. */
const story: Partial<Template> = {
  width: 60,
  height: 100,
  variables,
  layers: [
    textLayer('{{name}}', { width: 60, fontSize: 12, align: 'center' }),
    withoutSizes({ ...box, x: 0, y: 60, width: 60 }),
  ],
};
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
  publish('sized', { variables, layers: [title, box].map(withoutSizes) });
  publish('sized', sized);
  publish('story', story);
  publish('covered', { ...sized, onError: 'image' });
  publish('closed', { ...sized, linkOptions: ['scale'] });
  publish('plain', { variables, layers: [textLayer('{{name}}')] });
  publish('named', { ...sized, variables: [...variables, textVariable('_size', 'story')] });
  publish('signed', { ...sized, linkAuth: 'signed' });
  saveDraft('undrawable', { ...sized, layers: [title, box, missing] });
});
const service = await startService(t, { dataDirectory });
const json = { ...key, 'Content-Type': 'application/json' };

function send(path: string, method: string, body: unknown, headers = {}): Promise<Answer> {
  return service.get(path, {
    method,
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  });
}

async function pixels({ body, status, text }: Answer): Promise<string> {
  if (status !== 200) throw new Error(text);
  const { data, info } = await sharp(body)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return `${info.width} × ${info.height} ${data.toString('base64')}`;
}

t.test(
  'a link draws the size that it names, and without one the canvas of the document',
  async (t) => {
    const areas: [query: string, width: number, height: number][] = [
      ['', 240, 40],
      ['?_size=', 240, 40],
      ['?_size=story', 60, 100],
      ['?_size=banner&_scale=2', 600, 60],
    ];
    for (const [query, width, height] of areas) {
      const answer = await service.render(`sized${query}`);
      t.equal(answer.status, 200, answer.text);
      t.match(await sharp(answer.body).metadata(), { width, height }, query);
    }
    for (const name of ['friend', 'Zoe', 'Maximilian', 'Bo']) {
      const [inSize, alone] = await Promise.all(
        [`sized?_size=story&name=${name}`, `story?name=${name}`].map((path) =>
          service.render(path),
        ),
      );
      if (inSize === undefined || alone === undefined) throw new Error('nothing was drawn');
      t.equal(await pixels(inSize), await pixels(alone), `${name}: as the story by itself`);
    }
  },
);

t.test('each size has an entity tag and an entry in the cache of its own', async (t) => {
  const tags = new Set<string | undefined>();
  for (const query of ['name=Tag', 'name=Tag&_size=story', 'name=Tag&_size=banner']) {
    const first = await service.render(`sized?${query}`);
    const etag = first.headers.etag ?? '';
    tags.add(etag);
    const again = await service.render(`sized?${query}&x=1`, {
      headers: { 'If-None-Match': etag },
    });
    t.equal(again.status, 304, query);
    const other = await service.render('sized?name=Tag&_size=story&x=2', {
      headers: { 'If-None-Match': etag },
    });
    t.equal(other.status, query.endsWith('story') ? 304 : 200, `${query}, then the story`);
  }
  t.equal(tags.size, 3);
});

t.test('an unknown or forbidden size is refused in words', async (t) => {
  const cases: [path: string, message: RegExp][] = [
    ['sized?_size=square', /_size must be one of story, banner, or left out/],
    ['sized?_size=Story', /one of story, banner/],
    ['sized?_size=constructor', /one of story, banner/],
    ['plain?_size=story', /_size must be left out: this template has no sizes/],
    ['sized?_version=1&_size=story', /no sizes/],
    ['closed?_size=story', /_size is not allowed: links of this template take _scale only/],
  ];
  for (const [path, message] of cases) {
    t.match(checkError(t, await service.render(path), 400, 'BAD_REQUEST'), message, path);
  }
  t.equal((await service.render('sized?_version=2&_size=story')).status, 200);
  checkError(t, await service.render('signed?_size=square'), 401, 'UNAUTHORIZED');
});

t.test('a variable called _size wins over the option', async (t) => {
  const answer = await service.render('named?_size=story');
  t.match(await sharp(answer.body).metadata(), { width: 240, height: 40 });
});

t.test('a reader with an unknown size gets the canvas of the document', async (t) => {
  const answer = await service.render('covered?_size=square&name=Zoe');
  t.equal(answer.status, 200);
  t.equal(answer.headers['x-render-error'], 'BAD_REQUEST');
  t.equal(answer.headers.etag, undefined);
  t.equal(await pixels(answer), await pixels(await service.render('covered?name=Zoe')));
  const long = await service.render(`covered?_size=story&name=${'x'.repeat(2001)}`);
  t.equal(long.headers['x-render-error'], 'BAD_REQUEST');
  t.match(
    await sharp(long.body).metadata(),
    { width: 60, height: 100 },
    'a size that is known is kept',
  );
});

t.test('a render with JSON has the size of its link', async (t) => {
  const link = await service.render('sized.png?name=Jo&_size=story');
  const body = { values: { name: 'Jo' }, size: 'story' };
  const image = await send('/v1/render/sized', 'POST', body);
  t.ok(image.body.equals(link.body), 'the same bytes');
  const answer = await send('/v1/render/sized', 'POST', { ...body, response: 'url' });
  const { url, width, height } = answer.json() as { url: string; width: number; height: number };
  t.match(url, /_size=story/);
  t.same([width, height], [60, 100]);
  const again = await service.get(new URL(url).pathname + new URL(url).search);
  t.equal(await pixels(again), await pixels(link));
  const wrong = await send('/v1/render/sized', 'POST', { size: 'square' });
  t.match(checkError(t, wrong, 400, 'BAD_REQUEST'), /_size must be one of story, banner/);
});

t.test('a preview draws a size, reports its boxes, and names an unknown one', async (t) => {
  const template = {
    format: 1,
    name: 'Test',
    width: 240,
    height: 40,
    background: '#ffffff',
    ...sized,
  };
  const drawn = await send('/v1/preview', 'POST', {
    template,
    size: 'story',
    values: { name: 'Bo' },
  });
  t.equal(await pixels(drawn), await pixels(await service.render('sized?_size=story&name=Bo')));
  const stored = await send('/v1/preview', 'POST', { uid: 'sized', size: 'banner' });
  t.match(await sharp(stored.body).metadata(), { width: 300, height: 30 });
  const report = await send(
    '/v1/preview',
    'POST',
    { template, size: 'story' },
    { Accept: 'application/json' },
  );
  const { layers, width, height } = report.json() as {
    layers: { id: string; box: object }[];
    width: number;
    height: number;
  };
  t.same([width, height], [60, 100]);
  t.match(layers.find(({ id }) => id === 'box')?.box, { x: 0, y: 60, width: 60, height: 40 });
  for (const [body, message] of [
    [{ uid: 'sized', size: 'square' }, /is "square", expected story or banner/],
    [{ uid: 'plain', size: 'square' }, /is "square", expected none/],
  ] as const) {
    const answer = await send('/v1/preview', 'POST', body);
    t.equal(answer.status, 400);
    const { details } = answer.json() as { details: { path: string; message: string }[] };
    t.equal(details[0]?.path, 'size');
    t.match(details[0]?.message, message);
  }
});

t.test('the details of a template list its sizes', async (t) => {
  const details = (await service.get('/v1/templates/sized', { headers: key })).json();
  t.match(details, { width: 240, height: 40, sizes });
  t.match((await service.get('/v1/templates/plain', { headers: key })).json(), { sizes: [] });
  const stored = (await service.get('/v1/templates/sized/document', { headers: key })).json();
  t.match(stored, { sizes, layers: [{ bySize: title.bySize }, { bySize: box.bySize }] });
});

t.test('a document is refused for what is wrong in one size', async (t) => {
  const layers = [{ ...box, bySize: { story: { width: 'fill' } } }];
  const document = { format: 1, name: 'Test', width: 240, height: 40, ...sized, layers };
  const answer = await send('/v1/templates', 'POST', document);
  t.equal(answer.status, 400);
  t.match(answer.json(), {
    details: [{ path: 'layers[0].bySize.story.width', message: /\(in the size "story"\)$/ }],
  });
});

t.test('a template is not published if one of its sizes cannot be drawn', async (t) => {
  const answer = await send('/v1/templates/undrawable/publish', 'POST', {});
  t.equal(answer.status, 400);
  t.match(answer.text, /cannot be published.*"photo.*\(in the size \\"story\\"\)/);
});

t.test('the links of a campaign carry its size', async (t) => {
  const options = JSON.stringify({ size: 'story' });
  const list = 'name\nZoe\nBo\n';
  const { body, answer } = await createCampaign(service, 'sized', 'links', list, { options });
  t.ok(answer.status < 300, answer.text);
  t.match(await waitForRun(service, body.id), { state: 'finished', done: 2 });
  const links = (await service.get(`/v1/campaigns/${body.id}/links.csv`, { headers: key })).text;
  const [, link = ''] = /(\/v1\/render\/\S*name=Zoe[^\s,"]*)/.exec(links) ?? [];
  t.match(link, /_size=story/);
  t.match(await sharp((await service.get(link)).body).metadata(), { width: 60, height: 100 });
  const wrong = await createCampaign(service, 'sized', 'links', list, {
    options: JSON.stringify({ size: 'square' }),
  });
  t.equal(wrong.status, 400);
  t.match(wrong.answer.text, /_size must be one of story, banner/);
});
