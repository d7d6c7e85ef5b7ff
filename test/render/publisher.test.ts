import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { createImageLoader } from '../../src/images/load-images.ts';
import { AppError } from '../../src/foundation/errors.ts';
import { createLog } from '../../src/foundation/log.ts';
import { createFontInspector } from '../../src/scheduling/font-inspector.ts';
import type { FontInspector } from '../../src/scheduling/font-inspector.ts';
import { createPublisher } from '../../src/publish/publisher.ts';
import type { Publisher } from '../../src/publish/publisher.ts';
import { createPool, orderJob, startPool, within } from '../fixtures/render-pool.ts';
import { boundSvg, hostileSvgs } from '../fixtures/hostile-svg.ts';
import { firstDrawn, startRealPool } from '../fixtures/real-pool.ts';
import { serveRenders } from '../fixtures/render-service.ts';
import type { TestService } from '../fixtures/render-service.ts';
import { saveSample } from '../store/store-fixture.ts';

/** Two hosts of two threads. */
const threadCount = 4;

function publisherOf(
  service: TestService,
  reported: string[] = [],
  inspector: Pick<FontInspector, 'bundledFamilies'> = createFontInspector(),
): Publisher {
  const log = createLog((_level, line) => {
    reported.push((JSON.parse(line) as { event: string }).event);
  });
  return createPublisher({ ...service, ...service.stores, inspector, log });
}

t.test('every thread has the base render of a version before its first link', async (t) => {
  const pool = await startRealPool(t, threadCount);
  const service = await serveRenders(t, { pool });
  const { templates } = service.stores;
  const layers: Layer[] = [
    { id: 'name', type: 'text', x: 20, y: 20, width: 300, height: 40, text: '{{name}}' },
  ];
  const document: Partial<Template> = { height: 300, background: '#ffffff', layers };
  saveSample(service.stores, 'card', document);
  const published = await publisherOf(service).publish('org_a', 'card', {}, within(10_000));
  t.equal(published?.version, 1);

  const drawn = firstDrawn(pool, service.loader, templates.findPublished('card'), threadCount);
  t.same(await drawn, ['plan', 'plan', 'plan', 'plan']);

  const src = `asset:${'0'.repeat(64)}`;
  const gone: Layer = { id: 'gone', type: 'image', x: 0, y: 0, width: 9, height: 9, src };
  saveSample(service.stores, 'card', { layers: [gone] });
  await t.rejects(publisherOf(service).publish('org_a', 'card', {}, within(10_000)), {
    code: 'BAD_REQUEST',
    message: /cannot be published, .*layer "gone"/,
    details: [{ path: '(document)', layers: ['gone'] }],
  });
  t.equal(templates.findPublished('card')?.version, 1, 'the public version stays');

  const ground = { type: 'rect', x: 0, y: 0, width: 1200, height: 630, fill: '#102030' } as const;
  const layer: Layer = { id: 'ground', ...ground };
  const fade = { layer: 'ground', property: 'opacity', from: 1, to: 0 };
  const animation = { type: 'motion', seconds: 10, tracks: [fade] } as unknown as NonNullable<
    Template['animation']
  >;
  saveSample(service.stores, 'card', { width: 1200, height: 630, layers: [layer], animation });
  await t.rejects(
    publisherOf(service).publish('org_a', 'card', {}, within(10_000)),
    {
      code: 'BAD_REQUEST',
      message:
        /its animation cannot be drawn.* changes \d+ megapixels in its 100 frames, at most 24/,
    },
    'with the defaults, before a link asks for it',
  );
});

t.test('an SVG layer that takes too long is not published, and left out of links', async (t) => {
  const pool = await startRealPool(t, 1);
  const service = await serveRenders(t, { pool });
  const documentOf = (svg: string, side: number): Partial<Template> => ({
    width: side,
    height: side,
    variables: [{ name: 'r', type: 'number', value: '0' }],
    layers: [{ id: 'art', type: 'svg', x: 0, y: 0, width: side, height: side, svg }],
  });
  const hostile = hostileSvgs['a wide feMorphology'] ?? '';
  saveSample(service.stores, 'draft', documentOf(hostile, 1800));
  await t.rejects(publisherOf(service).publish('org_a', 'draft', {}, within(20_000)), {
    code: 'BAD_REQUEST',
    message: /layer "art" cannot be drawn: its SVG /,
  });
  // Published as by a release that did not yet draw them.
  service.publish('hostile', documentOf(hostile, 1800));
  service.publish('bound', documentOf(boundSvg, 900));
  for (const [link, warning] of [
    ['hostile.webp', 'SVG_FAILED;layer="art"'],
    ['bound.webp?r=1000', 'SVG_FAILED;layer="art"'],
    ['bound.webp?r=1', null],
  ] as const) {
    const answer = await service.get(link);
    t.equal(answer.status, 200, link);
    t.equal(answer.headers.get('x-render-warnings'), warning, link);
  }
});

t.test('a family that nobody has is named with its position, and not published', async (t) => {
  const pool = createPool(t);
  await pool.warmUp(orderJob({}), within(20_000));
  const service = await serveRenders(t, { pool });
  const text = { id: 't', type: 'text', x: 0, y: 0, width: 9, height: 9, text: 'x' } as const;
  const name = (fontFamily: string[]): Partial<Template> => ({
    layers: [{ ...text, fontFamily }],
  });
  saveSample(service.stores, 'card', { ...name(['inter', 'Mine']), fonts: ['Nobody'] });
  await t.rejects(publisherOf(service).publish('org_a', 'card', {}, within(10_000)), {
    code: 'INVALID',
    problems: [
      { path: 'layers[0].fontFamily[0]', message: /^is "inter" \(did you mean "Inter"\?\)/ },
      { path: 'layers[0].fontFamily[1]', message: /^is "Mine", expected a font family/ },
      { path: 'fonts[0]', message: /^is "Nobody"/ },
    ],
  });
  t.equal(service.stores.templates.findPublished('card'), undefined);
  saveSample(service.stores, 'card', name(['Inter', 'Noto Sans JP']));
  const stopped = { bundledFamilies: () => Promise.reject(new Error('stopped')) };
  await t.rejects(
    publisherOf(service, [], stopped).publish('org_a', 'card', {}, within(10_000)),
    { code: 'OVERLOADED' },
    'not known is not refused',
  );
  const published = await publisherOf(service).publish('org_a', 'card', {}, within(10_000));
  t.equal(published?.version, 1);
});

t.test('a draft is published when the service has time before the deadline', async (t) => {
  const pool = await startPool(t);
  const service = await serveRenders(t, { pool });
  saveSample(service.stores, 'card');
  let refusals = 0;
  const admit = pool.admit.bind(pool);
  pool.admit = (...given) => {
    if (refusals === 1) return admit(...given);
    refusals += 1;
    throw new AppError('OVERLOADED', 'The queue is full.', { retryAfterSeconds: 1 });
  };
  const published = await publisherOf(service).publish('org_a', 'card', {}, within(10_000));
  t.equal(published?.version, 1);
  t.equal(refusals, 1);
});

t.test('a draft of many sizes is published by the next request with the rest', async (t) => {
  const pool = await startPool(t);
  const service = await serveRenders(t, { pool });
  const sizes = ['story', 'square'].map((name) => ({ name, width: 300, height: 300 }));
  saveSample(service.stores, 'card', { sizes });
  let [free, renders] = [2, 0];
  const admit = pool.admit.bind(pool);
  pool.admit = (...given) => {
    if (renders === free) throw new AppError('OVERLOADED', 'The queue is full.');
    renders += 1;
    return admit(...given);
  };
  const publisher = publisherOf(service);
  await t.rejects(publisher.publish('org_a', 'card', {}, within(1500)), {
    code: 'OVERLOADED',
    reason: 'unchecked',
    message: /nothing was published: publish again in 1 s\. It goes on with those that are not/,
    retryAfterSeconds: 1,
  });
  t.equal(service.stores.templates.findPublished('card'), undefined);
  free = 10;
  t.equal((await publisher.publish('org_a', 'card', {}, within(10_000)))?.version, 1);
  t.equal(renders, 3 + 1, 'each image once, and the first again, which has no base render');
});

t.test('a draft whose SVG layer nobody has time to draw is not published', async (t) => {
  const pool = await startPool(t);
  const service = await serveRenders(t, { pool });
  const drawing = { svg: '<svg xmlns="http://www.w3.org/2000/svg"/>', widthPx: 9, heightPx: 9 };
  const answer = { ok: false, code: 'NEEDS_DRAWINGS', detail: '', drawings: [drawing] } as const;
  saveSample(service.stores, 'card', { name: JSON.stringify({ answer }) });
  const loader = createImageLoader({
    findAsset: () => undefined,
    svgProcessesMax: 1,
    svgWaitingMax: 0,
  });
  t.teardown(() => loader.close());
  const { signal } = new AbortController();
  const slow = { svg: hostileSvgs['a wide feMorphology'] ?? '', widthPx: 2000, heightPx: 2000 };
  const other = { organizationUid: 'org_b', templateUid: 'slow' };
  const holding = loader.drawLayers([slow], other, signal);
  await t.rejects(publisherOf({ ...service, loader }).publish('org_a', 'card', {}, within(1500)), {
    code: 'OVERLOADED',
    reason: 'unchecked',
  });
  t.equal(service.stores.templates.findPublished('card'), undefined);
  t.equal((await holding).problems.length, 1);
});

t.test('an older version is published again, however busy the service is', async (t) => {
  const pool = createPool(t, { queueMax: 1 });
  await pool.warmUp(orderJob({}), within(20_000));
  const service = await serveRenders(t, { pool });
  service.publish('card');
  const waitsFor = join(t.testdir(), 'done');
  const busy = [0, 1].map(() => pool.run(orderJob({ waitsFor }), within(20_000)));
  const reported: string[] = [];
  const publisher = publisherOf(service, reported);
  const published = await publisher.publish('org_a', 'card', { version: 1 }, within(1500));
  t.equal(published?.version, 2);
  t.same(reported, ['template not warmed']);
  writeFileSync(waitsFor, '');
  await Promise.all(busy);
});
