/** Which base renders are made, found and kept. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { RenderJob } from '#wire/render-job.ts';
import type { DisplayList } from '../../../workers/display-list.ts';
import { anItem } from '../../fixtures/display-items.ts';
import { readImage, renderTemplate, validTemplate } from '../../helpers/render.ts';
import { aLayer, aTemplate, aVariable } from '../../fixtures/template-documents.ts';

const { baseRenderKeys, keepBaseRender, keptBaseRenders, keyWorthMaking } =
  await import('../../../workers/incremental/base-render-cache.ts');
const { createBaseRender } = await import('../../../workers/incremental/base-render.ts');

const variables = [aVariable('name', 'text', ''), aVariable('ground', 'color', '#fff')];

function aJob(changes: Partial<RenderJob> = {}): RenderJob {
  return {
    templateKey: randomUUID(),
    templateJson: JSON.stringify({ variables }),
    values: new Map(),
    images: [],
    format: 'png',
    quality: 85,
    scale: 1,
    ...changes,
  };
}

type BaseRender = Awaited<ReturnType<typeof createBaseRender>>;

/** What is kept for one key; counts as a request of it. */
function find(key: string): BaseRender | undefined {
  const [kept] = keptBaseRenders([key]);
  return kept;
}

function request(keys: readonly string[]): void {
  for (const key of keys) find(key);
}

const list: DisplayList = { width: 4, height: 4, background: undefined, items: [] };
const aBaseRender = (of: DisplayList = list): ReturnType<typeof createBaseRender> =>
  createBaseRender(of, 1, { data: new Uint8Array(64), widthPx: 4, heightPx: 4 }, 'png', 85);

t.test('keys differ by scale, format, quality, language and images, not by values', async (t) => {
  const job = aJob();
  const keys = baseRenderKeys(job);
  t.strictSame(baseRenderKeys({ ...job, values: new Map([['name', 'Ada']]) }), keys);
  const colored = baseRenderKeys({ ...job, values: new Map([['ground', '#a00']]) });
  t.not(colored[0], keys[0], 'a campaign in another colour has its own base render');
  t.equal(colored[1], keys[1]);
  const photo = await readImage('test/golden/images/photo.jpg');
  const [specific, general] = baseRenderKeys({ ...job, images: [['photo', photo]] });
  t.equal(general, keys[1], 'the general key is that of any image');
  t.not(specific, keys[0]);
  const changes = [{ scale: 2 }, { format: 'jpeg' }, { quality: 40 }, { lang: 'de' }] as const;
  for (const change of changes) {
    t.not(baseRenderKeys({ ...job, ...change })[1], keys[1]);
  }
});

t.test('the second job of a key is worth a base render, the general first, no third', async (t) => {
  const keys = baseRenderKeys(aJob());
  const ask = (): string | undefined => {
    request(keys);
    return keyWorthMaking(keys, false);
  };
  t.equal(ask(), undefined);
  t.equal(ask(), keys[1]);
  const base = await aBaseRender();
  t.ok(keepBaseRender(keys[1], base));
  t.equal(find(keys[1]), base);
  t.equal(ask(), keys[0]);
  t.notOk(keepBaseRender(keys[0], undefined), 'that none can be made is kept, too');
  t.equal(find(keys[0]), undefined);
  t.equal(ask(), undefined);
});

t.test('a warmed key is worth a base render at once', async (t) => {
  const keys = baseRenderKeys(aJob());
  t.equal(keyWorthMaking(keys, true), keys[1]);
});

t.test('a base render above the bound is not kept', async (t) => {
  const [key] = baseRenderKeys(aJob());
  t.notOk(keepBaseRender(key, { ...(await aBaseRender()), sizeBytes: 2 ** 40 }));
  t.equal(find(key), undefined);
});

t.test('base renders that are used often stay when each quality is asked for twice', async (t) => {
  const used = baseRenderKeys(aJob());
  // Two base renders of this size fill the memory.
  const large = { ...(await aBaseRender()), sizeBytes: 60 * 1024 * 1024 };
  t.ok(keepBaseRender(used[1], large));
  for (let time = 0; time < 20; time += 1) find(used[1]);
  let made = 0;
  for (let quality = 1; quality <= 100; quality += 1) {
    const keys = baseRenderKeys(aJob({ quality }));
    for (let time = 0; time < 2; time += 1) request(keys);
    const key = keyWorthMaking(keys, false);
    if (key === undefined) continue;
    made += 1;
    keepBaseRender(key, large);
  }
  t.equal(find(used[1]), large);
  t.ok(made > 0 && made < 100, `${made} others were made while there was memory`);
  const popular = baseRenderKeys(aJob());
  for (let time = 0; time < 30; time += 1) request(popular);
  t.equal(keyWorthMaking(popular, false), popular[1], 'what is asked for more often comes in');
});

t.test('what was asked for long ago counts for less than what is asked for now', async (t) => {
  const [, old] = baseRenderKeys(aJob());
  find(old);
  // So many that all counts are halved, which one ask does not outlive.
  const [, other] = baseRenderKeys(aJob());
  for (let time = 0; time < 10_000; time += 1) find(other);
  find(old);
  t.equal(keyWorthMaking([old, old], false), undefined, 'its first ask is forgotten');
  find(old);
  t.equal(keyWorthMaking([old, old], false), old);
});

t.test('lists of many letters leave no heap for a base render of each quality', async (t) => {
  const font = { css: '10px Inter', size: 10, features: '', variations: '', letterSpacing: 0 };
  const glyphs = Array.from({ length: 10_000 }, (_, index) => {
    return { data: 'M0 0H9V9H0Z', x: index + 0.5, y: 0.5, scale: 0.001, slant: 0 };
  });
  const run = { text: 'a', x: 0, y: 0, width: 9, font, direction: 'ltr' as const, fill: '#000' };
  const box = { x: 0, y: 0, width: 9, height: 9 };
  const runs = [{ ...run, glyphs }];
  const plain = { backgrounds: [], lines: [], box, clips: false, stroke: undefined };
  const items = [anItem(box, { kind: 'text', runs, ...plain })];
  const base = await aBaseRender({ ...list, items });
  t.ok(base.listBytes > 1024 * 1024, 'a letter is counted with a hundred bytes or more');
  const qualities = Array.from({ length: 100 }, (_, quality) => quality);
  const keys = qualities.map((quality) => baseRenderKeys(aJob({ quality }))[1]);
  for (const key of keys) t.ok(keepBaseRender(key, base));
  const bytes = keys.filter((key) => find(key) !== undefined).length * base.listBytes;
  t.ok(bytes > 16 * 1024 * 1024 && bytes <= 64 * 1024 * 1024, `${bytes} bytes are kept of lists`);
});

t.test('a base render is kept whatever its number of pixels', async (t) => {
  const [widthPx, heightPx] = [577, 569];
  const pixels = { data: new Uint8Array(4 * widthPx * heightPx), widthPx, heightPx };
  const base = await createBaseRender({ ...list, width: 577, height: 569 }, 1, pixels, 'png', 85);
  t.ok(keepBaseRender(randomUUID(), base), 'a share of the pixels would be a fraction of a byte');
});

t.test('a job that comes again with its drawings counts once', async (t) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7"><circle r="2"/></svg>';
  const layers = [
    aLayer('svg', { id: 'art', x: 300, y: 10, width: 77, height: 77, svg }),
    aLayer('text', { width: 180, height: 40, text: '{{name}}' }),
  ];
  const template = validTemplate(aTemplate({ width: 400, height: 240, variables, layers }));
  for (const [name, drawn] of Object.entries({ first: 'whole', second: 'plan' })) {
    t.match(await renderTemplate(template, { values: { name } }), { drawn });
  }
});
