import { WarmRenders } from '../../src/render/warm-renders.ts';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Test } from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { createImageLoader } from '../../src/images/load-images.ts';
import { createLog } from '../../src/foundation/log.ts';
import { defaultOrder } from '../../src/render/order.ts';
import { BaseRenderWarmer } from '../../src/publish/base-render-warmer.ts';
import { createPublisher } from '../../src/publish/publisher.ts';
import { RenderCache } from '../../src/render/cache.ts';
import { createFontInspector } from '../../src/scheduling/font-inspector.ts';
import { RenderStats } from '../../src/scheduling/stats.ts';
import { eventually } from '../e2e/service.ts';
import { within } from '../fixtures/render-pool.ts';
import { mixedJob, warmUp } from '../../src/scheduling/warm-up.ts';
import { firstDrawn, startRealPool } from '../fixtures/real-pool.ts';
import type { Stores } from '../store/store-fixture.ts';
import {
  createStores,
  openStores,
  publishSample,
  sampleDocument,
  sampleFontFacts,
  saveSample,
} from '../store/store-fixture.ts';

const threadCount = 2;
const pool = await startRealPool(t, threadCount);

const document: Partial<Template> = {
  width: 400,
  height: 300,
  variables: [{ name: 'name', type: 'text', value: 'nobody' }],
  layers: [{ id: 'name', type: 'text', x: 20, y: 20, width: 300, height: 40, text: '{{name}}' }],
};

/** Starts a warmer and a publisher; `warmed` is what it has reported, such as `template warmed card`. */
function startWarmer(t: Test, { templates, use, fonts, assets }: Stores) {
  const warmed: string[] = [];
  const log = createLog((_level, line) => {
    const { event, template } = JSON.parse(line) as Record<string, string>;
    if (event?.startsWith('template ') === true) warmed.push(`${event} ${template}`);
  });
  const loader = createImageLoader({
    findAsset: (organizationUid, id) => assets.findAsset(organizationUid, id),
  });
  t.teardown(() => loader.close());
  const cache = new RenderCache(1_000_000);
  const parts = {
    templates,
    use,
    fonts,
    loader,
    cache,
    pool,
    stats: new RenderStats(),
    warm: new WarmRenders(() => []),
    threadCount,
    log,
  };
  const health = { note: (error: unknown) => t.fail(String(error)), isDamaged: false };
  const warmer = new BaseRenderWarmer({ ...parts, health });
  const publisher = createPublisher({ ...parts, inspector: createFontInspector() });
  t.teardown(() => warmer.close());
  /** How each process draws its first image of a template for a reader. */
  const firstImages = (uid: string): Promise<string[]> =>
    firstDrawn(pool, loader, templates.findPublished(uid), threadCount);
  return { warmed, warmer, publisher, cache, firstImages };
}

t.test('what another process publishes has a base render before its first reader', async (t) => {
  const stores = createStores(t);
  const { warmed, cache, firstImages } = startWarmer(t, stores);
  publishSample(openStores(t, stores.path), 'campaign', document);
  t.ok(await eventually(() => warmed.includes('template warmed campaign')));
  const template = stores.templates.findPublished('campaign');
  const kept = template && cache.find(defaultOrder(template).key);
  t.equal(kept?.format, 'png', 'its default image is kept');
  t.same(await firstImages('campaign'), ['plan', 'plan']);
  stores.use.flush();
  t.same(stores.use.mostUsed(8), [], 'and counts as nobody’s');
});

/** Jobs that the processes have begun. */
function startedJobs(): number {
  const [waits] = pool.waits.families();
  return (
    waits
      ?.samples()
      .find(({ suffix, labels }) => suffix === '_count' && labels['end'] === 'started')?.value ?? 0
  );
}

t.test('a publication draws its image once, and makes each base render once', async (t) => {
  const stores = createStores(t);
  const { warmed, publisher } = startWarmer(t, stores);
  publishSample(openStores(t, stores.path), 'before', { ...document, name: 'before' });
  t.ok(await eventually(() => warmed.includes('template warmed before')));

  const jobsOf = async (uid: string, changes: Partial<Template>): Promise<number> => {
    saveSample(stores, uid, { ...document, name: uid, ...changes });
    const before = startedJobs();
    await publisher.publish('org_a', uid, {}, within(20_000));
    return startedJobs() - before;
  };
  t.equal(await jobsOf('card', {}), 1 + threadCount, 'the image, and one job for each process');
  t.equal(await jobsOf('gif', { output: { format: 'gif' } }), 1, 'a GIF has no base render');

  const before = startedJobs();
  publishSample(openStores(t, stores.path), 'after', { ...document, name: 'after' });
  t.ok(await eventually(() => warmed.includes('template warmed after')));
  t.same(warmed, ['template warmed before', 'template warmed after']);
  t.equal(startedJobs() - before, 1 + threadCount, 'the warmer draws no publication again');
});

t.test('a damaged font file is written again before the first reader comes', async (t) => {
  const stores = createStores(t);
  const font = '@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf';
  const bytes = readFileSync(fileURLToPath(import.meta.resolve(font)));
  stores.fonts.saveFont('org_a', 'Brand', bytes, sampleFontFacts);
  const branded: Partial<Template> = {
    ...document,
    layers: document.layers?.map((layer) => ({ ...layer, fontFamily: 'Brand' })) as Layer[],
  };
  const [family] = stores.fonts.findFamilies('org_a', sampleDocument(branded));
  const path = family?.files[0]?.path ?? '';
  mkdirSync(dirname(path), { recursive: true });
  // Of the right size, so that only a render host notices.
  writeFileSync(path, Buffer.alloc(bytes.byteLength));
  const { warmed, firstImages } = startWarmer(t, stores);
  publishSample(stores, 'branded', branded);
  t.ok(await eventually(() => warmed.length > 0));
  t.same(warmed, ['template warmed branded']);
  t.ok(readFileSync(path).equals(bytes));
  t.same(await firstImages('branded'), ['plan', 'plan']);
});

t.test('a start makes base renders of what was used most before it', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'used', { ...document, name: 'used' });
  publishSample(stores, 'unused', { ...document, name: 'unused' });
  stores.use.count('used');
  stores.use.flush();
  const { warmed, firstImages } = startWarmer(t, stores);
  t.ok(await eventually(() => warmed.length > 0));
  t.same(warmed, ['template warmed used']);
  t.same(await firstImages('used'), ['plan', 'plan']);
  const [unused] = await firstImages('unused');
  t.equal(unused, 'whole', 'others wait for readers');
});

t.test('what cannot be warmed is logged, and counted renders are written at the end', async (t) => {
  const stores = createStores(t);
  const { templates, use, assets } = stores;
  publishSample(stores, 'first');
  const { warmed, warmer } = startWarmer(t, stores);
  const image = { type: 'image', x: 0, y: 0, width: 9, height: 9 } as const;
  const publishImage = (uid: string, src: string): void =>
    void publishSample(stores, uid, { ...document, layers: [{ ...image, id: uid, src }] });
  publishImage('missing', `asset:${'0'.repeat(64)}`);
  t.ok(await eventually(() => warmed.includes('template not warmed missing')));
  // Half a file with the header of a whole one: only drawing finds out.
  const png = readFileSync(new URL('../../data/fallback/card.png', import.meta.url));
  const header = { format: 'png', widthPx: 600, heightPx: 314, orientation: 1 } as const;
  const { organizationUid = '' } = templates.findPublished('first') ?? {};
  const half = assets.saveAsset(organizationUid, png.subarray(0, png.length / 2), header);
  publishImage('half', half);
  t.ok(await eventually(() => warmed.includes('template not warmed half')));
  t.equal(warmed.length, 2);
  use.count('first');
  warmer.close();
  t.same(use.mostUsed(5), ['first']);
});

t.test('after the warm-up every process has drawn what most templates need', async (t) => {
  await warmUp(pool, threadCount, within(30_000));
  for (const format of ['png', 'jpeg'] as const) {
    const job = mixedJob(format, 'somebody else');
    const runs = await Promise.all([pool.run(job, within(9000)), pool.run(job, within(9000))]);
    for (const { outcome } of runs) {
      t.match(outcome, { ok: true, drawn: 'plan', warnings: [], degraded: false }, format);
      t.match(outcome, { baseRender: { isKept: false } }, 'over a base render for this job alone');
    }
  }
});

t.test('the warm-up makes way for readers', async (t) => {
  let drawn = 0;
  const busy = {
    queueLength: 1,
    run: () => {
      drawn += 1;
      throw new Error('a reader is kept waiting');
    },
  };
  await warmUp(busy, threadCount, within(1000));
  t.equal(drawn, 0);
});
