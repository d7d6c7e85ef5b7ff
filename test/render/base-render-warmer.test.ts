import { WarmRenders } from '../../src/render/warm-renders.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Test } from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { createImageLoader } from '../../src/images/load-images.ts';
import { createLog } from '../../src/foundation/log.ts';
import { defaultOrder } from '../../src/render/order.ts';
import { toJob } from '../../src/render/draw.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { loadJobImages } from '../../src/render/images/job-images.ts';
import { BaseRenderWarmer } from '../../src/publish/base-render-warmer.ts';
import { RenderCache } from '../../src/render/cache.ts';
import { RenderStats } from '../../src/scheduling/stats.ts';
import { RenderPool } from '../../src/scheduling/pool.ts';
import { warmUpJob } from '../../src/scheduling/warm-up.ts';
import { eventually } from '../e2e/service.ts';
import { within } from '../fixtures/render-pool.ts';
import type { Stores } from '../templates/store-fixture.ts';
import {
  createStores,
  openStores,
  publishSample,
  sampleDocument,
  sampleFontFacts,
} from '../templates/store-fixture.ts';

const repository = join(import.meta.dirname, '../..');
const fontConfigFile = await prepareFontEnvironment(
  join(repository, 'node_modules/.cache/platen-test'),
);
const processCount = 2;
const stats = new RenderStats();
const pool = new RenderPool({
  filename: join(repository, 'workers/render-process.ts'),
  processCount,
  queueMax: 10,
  log: createLog(() => undefined),
  fontConfigFile,
});
t.teardown(() => pool.close(5000));
await pool.warmUp(warmUpJob, within(30_000));

const loader = createImageLoader({ findAsset: () => undefined });
t.teardown(() => loader.close());

const document: Partial<Template> = {
  width: 400,
  height: 300,
  variables: [{ name: 'name', type: 'text', value: 'nobody' }],
  layers: [{ id: 'name', type: 'text', x: 20, y: 20, width: 300, height: 40, text: '{{name}}' }],
};

/** Starts a warmer and gives the uids that it has reported. */
function startWarmer(
  t: Test,
  { templates, use, fonts }: Stores,
  cache = new RenderCache(1_000_000),
): string[] {
  const warmed: string[] = [];
  const log = createLog((_level, line) => {
    const { event, template } = JSON.parse(line) as Record<string, string>;
    if (template !== undefined) warmed.push(`${event} ${template}`);
  });
  const warmer = new BaseRenderWarmer({
    templates,
    use,
    fonts,
    loader,
    cache,
    pool,
    stats,
    warm: new WarmRenders(() => []),
    processCount,
    log,
  });
  t.teardown(() => warmer.close());
  return warmed;
}

/** How each process draws its first image of a template for a reader. */
async function firstImages(stores: Stores, uid: string): Promise<string[]> {
  const template = stores.templates.findPublished(uid);
  if (template === undefined) throw new Error(`${uid} is published`);
  const order = defaultOrder(template);
  const { signal } = new AbortController();
  const images = await loadJobImages(order, new Map(), loader, signal);
  const jobs = Array.from({ length: processCount }, (_, index) => {
    const job = toJob(order, images);
    return pool.run({ ...job, values: new Map([['name', `reader ${index}`]]) }, within(10_000));
  });
  const renders = await Promise.all(jobs);
  return renders.map(({ outcome }) => (outcome.ok ? outcome.drawn : outcome.detail));
}

t.test(
  'a template that another process publishes has a base render before its first reader',
  async (t) => {
    const stores = createStores(t);
    const warmed = startWarmer(t, stores);
    publishSample(stores, 'before', document);
    t.ok(await eventually(() => warmed.includes('template warmed before')));
    const other = openStores(t, stores.path);
    publishSample(other, 'campaign', { ...document, name: 'campaign' });
    t.ok(await eventually(() => warmed.includes('template warmed campaign')));
    t.same(await firstImages(stores, 'campaign'), ['plan', 'plan']);
  },
);

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
  // Of the right size, so that only a render process notices.
  writeFileSync(path, Buffer.alloc(bytes.byteLength));
  const warmed = startWarmer(t, stores);
  publishSample(stores, 'branded', branded);
  t.ok(await eventually(() => warmed.length > 0));
  t.same(warmed, ['template warmed branded']);
  t.ok(readFileSync(path).equals(bytes));
  t.same(await firstImages(stores, 'branded'), ['plan', 'plan']);
});

t.test('the default image of a warmed template is kept, and counts as nobody’s', async (t) => {
  const stores = createStores(t);
  const cache = new RenderCache(1_000_000);
  const warmed = startWarmer(t, stores, cache);
  publishSample(stores, 'kept', { ...document, name: 'kept' });
  t.ok(await eventually(() => warmed.includes('template warmed kept')));
  const template = stores.templates.findPublished('kept');
  const kept = template && cache.find(defaultOrder(template).key);
  t.equal(kept?.format, 'png');
  stores.use.flush();
  t.same(stores.use.mostUsed(8), []);
});

t.test('a start makes base renders of what was used most before it', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'used', { ...document, name: 'used' });
  publishSample(stores, 'unused', { ...document, name: 'unused' });
  stores.use.count('used');
  stores.use.flush();
  const warmed = startWarmer(t, stores);
  t.ok(await eventually(() => warmed.length > 0));
  t.same(warmed, ['template warmed used']);
  t.same(await firstImages(stores, 'used'), ['plan', 'plan']);
  const [unused] = await firstImages(stores, 'unused');
  t.equal(unused, 'whole', 'others wait for readers');
});

t.test('what cannot be warmed is logged, and counted renders are written at the end', async (t) => {
  const stores = createStores(t);
  const warmed: string[] = [];
  const log = createLog((_level, line) => {
    const { event } = JSON.parse(line) as Record<string, string>;
    if (event !== undefined) warmed.push(event);
  });
  const cache = new RenderCache(1_000_000);
  const { templates, use, fonts } = stores;
  publishSample(stores, 'first');
  const guardedLoader = createImageLoader({
    findAsset: (organizationUid, id) => stores.assets.findAsset(organizationUid, id),
  });
  t.teardown(() => guardedLoader.close());
  const warmer = new BaseRenderWarmer({
    templates,
    use,
    fonts,
    loader: guardedLoader,
    cache,
    pool,
    stats,
    warm: new WarmRenders(() => []),
    processCount,
    log,
  });
  publishSample(stores, 'missing', {
    ...document,
    layers: [
      {
        id: 'gone',
        type: 'image',
        x: 0,
        y: 0,
        width: 9,
        height: 9,
        src: `asset:${'0'.repeat(64)}`,
      },
    ],
  });
  t.ok(await eventually(() => warmed.includes('template not warmed')));
  // Half a file with the header of a whole one: only drawing finds out.
  const png = readFileSync(join(repository, 'data/fallback/card.png'));
  const header = { format: 'png', widthPx: 600, heightPx: 314, orientation: 1 } as const;
  const { organizationUid = '' } = templates.findPublished('first') ?? {};
  const src = stores.assets.saveAsset(organizationUid, png.subarray(0, png.length / 2), header);
  const layer = { id: 'half', type: 'image', x: 0, y: 0, width: 9, height: 9, src } as const;
  publishSample(stores, 'damaged', { ...document, layers: [layer] });
  t.ok(
    await eventually(() => warmed.filter((event) => event === 'template not warmed').length > 1),
  );
  t.notOk(warmed.includes('template warmed'));
  use.count('first');
  warmer.close();
  t.same(use.mostUsed(5), ['first']);
});
