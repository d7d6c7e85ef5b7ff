import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { extensionOf, outputFormats } from '#language/formats.ts';
import type { Template } from '#language/schema/template.ts';
import { renderFormats } from '#wire/render-job.ts';
import { readImageHeader } from '../../src/images/sniff/sniff-image.ts';
import { imageLayer, textVariable } from '../e2e/published.ts';
import { eventually } from '../e2e/service.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { serveRenders } from '../fixtures/render-service.ts';

const pool = await sharePool();

const withImage: Partial<Template> = {
  onError: 'image',
  variables: [
    { name: 'name', type: 'text', value: 'World' },
    { name: 'photo', type: 'image', value: '' },
  ],
  layers: [imageLayer('{{photo}}')],
};

/** The values that the worker was given. */
async function valuesOf(answer: Response): Promise<unknown> {
  return ((await answer.json()) as { values: unknown }).values;
}

t.test('a bad link is answered with the image of what is good in it', async (t) => {
  const { get, publish, records } = await serveRenders(t, { pool });
  publish('card', withImage);
  for (const [query, name, format, quality] of [
    ['name=A&photo=nonsense', 'A', 'png', 100],
    ['name=A&_scale=9&_format=webp&_quality=31', 'A', 'webp', 31],
    [`name=${'x'.repeat(2001)}`, 'x'.repeat(2000), 'png', 100],
  ] as const) {
    const answer = await get(`card?${query}`);
    t.equal(answer.status, 200, query.slice(0, 20));
    t.equal(answer.headers.get('x-render-error'), 'BAD_REQUEST');
    t.equal(answer.headers.get('cache-control'), 'private, max-age=15');
    t.equal(answer.headers.get('vary'), 'Accept, Sec-Fetch-Dest, User-Agent');
    t.equal(answer.headers.get('etag'), null);
    t.equal(answer.headers.get('content-type'), `image/${format}`);
    const values = Object.entries({ name, photo: '' });
    t.match(await answer.json(), { values, format, quality, scale: 1 });
  }
  t.match(records[0], { status: 200, cacheState: 'fallback', cause: 'url', code: 'BAD_REQUEST' });
  t.equal(records[1]?.cause, 'option');
});

t.test('a template that says nothing tells a reader from a program', async (t) => {
  const { get, publish } = await serveRenders(t, { pool });
  publish('card', { ...withImage, onError: 'auto' });
  const { onError: _, ...silent } = withImage;
  publish('silent', silent);
  publish('json', { ...withImage, onError: 'json' });
  const reader = { headers: { Accept: 'image/avif,image/webp,*/*;q=0.8' } };
  for (const uid of ['card', 'silent']) {
    const refused = await get(`${uid}?photo=nonsense`);
    t.equal(refused.status, 400);
    t.equal(refused.headers.get('cache-control'), 'no-store');
    t.equal(refused.headers.get('vary'), 'Accept, Sec-Fetch-Dest, User-Agent');
    const shown = await get(`${uid}?photo=nonsense&name=A`, reader);
    t.equal(shown.status, 200);
    t.equal(shown.headers.get('x-render-warnings'), 'IMAGE_FAILED;layer="image"');
    t.match(await valuesOf(shown), [['name', 'A']]);
  }
  t.equal((await get('json?photo=nonsense', reader)).status, 400);
  t.equal((await get('json?_scale=9', reader)).status, 400);
});

t.test('a reader and a program that request the same at the same time get their own', async (t) => {
  const { get, publish } = await serveRenders(t, { pool });
  const notesIn = join(t.testdir(), 'notes');
  const photo = `data:image/png;base64,${pngOf({ widthPx: 3, heightPx: 3 }).toString('base64')}`;
  const order = JSON.stringify({ delayMs: 300, damaged: [photo], notesIn });
  const variables = [...(withImage.variables ?? []), textVariable('order', '')];
  publish('slow', { ...withImage, variables, onError: 'auto' });
  const reader = { headers: { 'Sec-Fetch-Dest': 'image' } };
  const target = `slow?${new URLSearchParams({ order, photo }).toString()}`;
  const shown = [{}, reader].map((init) => get(target, init));
  const isRepaired = (): boolean => readFileSync(notesIn, 'latin1').split('\n').length > 2;
  t.ok(await eventually(() => existsSync(notesIn) && isRepaired()), 'with a default for the photo');
  const during = get(target);
  const answers = await Promise.all([...shown, during]);
  t.same(
    answers.map(({ status }) => status),
    [400, 200, 400],
  );
});

t.test('a render for a reader is kept only as what its own values draw', async (t) => {
  const { get, publish } = await serveRenders(t, { pool });
  publish('card', { ...withImage, onError: 'auto' });
  const long = `card?name=${'x'.repeat(2001)}`;
  const reader = { headers: { 'Sec-Fetch-Dest': 'image' } };
  for (const round of [1, 2]) {
    const shown = await get(long, reader);
    t.equal(shown.headers.get('x-render-error'), 'BAD_REQUEST', `round ${round}`);
    t.equal(shown.headers.get('etag'), null);
    t.equal((await get(long)).status, 400);
  }
  const cut = await get(`card?name=${'x'.repeat(2000)}`);
  t.equal(cut.headers.get('x-render-error'), null);
  t.match(cut.headers.get('cache-control'), /^public/);
  const tag = cut.headers.get('etag') ?? '';
  const again = await get(long, { headers: { ...reader.headers, 'If-None-Match': tag } });
  t.equal(again.status, 200, 'and is no copy of the link with the error');
});

t.test('a plain card in the link’s format stands in for a broken default', async (t) => {
  const { get, publish } = await serveRenders(t, { pool });
  for (const [index, format] of renderFormats.entries()) {
    // A document each: two losses quarantine one.
    publish(`broken-${format}`, { width: 401 + index, onError: 'image' }, { throws: 'always' });
    const answer = await get(`broken-${format}.${extensionOf(format)}`);
    t.equal(answer.headers.get('x-render-error'), 'INTERNAL');
    t.equal(answer.headers.get('content-type'), outputFormats[format].mediaType);
    const header = readImageHeader(new Uint8Array(await answer.arrayBuffer()));
    t.match(header, { format, widthPx: 600, heightPx: 314 });
  }
});

t.test('a service that is too slow draws nothing more: a card stands in', async (t) => {
  const { get, publish } = await serveRenders(t, { pool, timeoutMs: 1000 });
  publish('slow', { onError: 'image' }, { delayMs: 2000 });
  const card = await get('slow?name=A');
  t.equal(card.headers.get('x-render-error'), 'TIMEOUT');
  t.ok(readImageHeader(new Uint8Array(await card.arrayBuffer())));
});

t.test('401 and 404 stay errors, and no error opens a closed template', async (t) => {
  const { get, publish } = await serveRenders(t, { pool });
  publish('closed', { onError: 'image', linkAuth: 'key' });
  publish('open', { onError: 'image' });
  t.equal((await get('closed')).status, 401);
  t.equal((await get('closed?_version=x')).status, 401);
  t.equal((await get('open?_version=7')).status, 404);
  t.equal((await get('nobody')).status, 404);
});

t.test('a bug is an image for a reader and an error for a program, by either method', async (t) => {
  const { get, publish, records } = await serveRenders(t, { pool });
  publish('bug', { onError: 'auto' }, { answer: { ok: false, code: 'INTERNAL', detail: 'a bug' } });
  for (const [headers, status] of [
    [{ 'User-Agent': 'WhatsApp/2.23.20.0 A' }, 200],
    [{}, 500],
  ] as const) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await get('bug', { method, headers });
      t.equal(answer.status, status, method);
      t.equal(answer.headers.get('x-render-error'), status === 200 ? 'INTERNAL' : null);
    }
  }
  t.match(records[0], { status: 200, code: 'INTERNAL', detail: 'a bug' });
});
