/** Which plans are made, found and kept. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { RenderJob } from '#wire/render-job.ts';
import type { DisplayContent, DisplayList } from '../../../workers/display-list.ts';
import { anItem } from '../../fixtures/display-items.ts';
import { readImage } from '../../helpers/render.ts';

const { findPlan, keepPlan, keyWorthPlanning, planKeys } =
  await import('../../../workers/incremental/base-render-cache.ts');
const { createPlan } = await import('../../../workers/incremental/base-render.ts');

function aJob(changes: Partial<RenderJob> = {}): RenderJob {
  return {
    templateKey: randomUUID(),
    templateJson: JSON.stringify({
      variables: [
        { name: 'name', type: 'text', value: '' },
        { name: 'ground', type: 'color', value: '#fff' },
      ],
    }),
    values: [],
    images: [],
    format: 'png',
    quality: 85,
    scale: 1,
    ...changes,
  };
}

const list: DisplayList = { width: 4, height: 4, background: undefined, items: [] };
const aPlan = (of: DisplayList = list): ReturnType<typeof createPlan> =>
  createPlan(of, 1, { data: new Uint8Array(64), widthPx: 4, heightPx: 4 }, 'png', 85);

t.test('keys tell scales, formats, qualities and pictures apart, and not values', async (t) => {
  const job = aJob();
  const keys = planKeys(job);
  t.strictSame(planKeys({ ...job, values: [['name', 'Ada']] }), keys);
  const colored = planKeys({ ...job, values: [['ground', '#a00']] });
  t.not(colored[0], keys[0], 'a campaign in another colour has a plan of its own');
  t.equal(colored[1], keys[1]);
  const photo = await readImage('test/golden/images/photo.jpg');
  const [specific, general] = planKeys({ ...job, images: [['photo', photo]] });
  t.equal(general, keys[1], 'the general key is that of any picture');
  t.not(specific, keys[0]);
  for (const change of [{ scale: 2 }, { format: 'jpeg' }, { quality: 40 }] as const) {
    t.not(planKeys({ ...job, ...change })[1], keys[1]);
  }
});

t.test(
  'the second job of a key is worth a plan, the general key first, and no third',
  async (t) => {
    const keys = planKeys(aJob());
    const ask = (): string | undefined => {
      for (const key of keys) findPlan(key);
      return keyWorthPlanning(keys, false);
    };
    t.equal(ask(), undefined);
    t.equal(ask(), keys[1]);
    const plan = await aPlan();
    t.ok(keepPlan(keys[1], plan));
    t.equal(findPlan(keys[1]), plan);
    t.equal(ask(), keys[0]);
    t.notOk(keepPlan(keys[0], undefined), 'that none can be made is kept, too');
    t.equal(findPlan(keys[0]), undefined);
    t.equal(ask(), undefined);
  },
);

t.test('a warmed key is worth a plan at once', async (t) => {
  const keys = planKeys(aJob());
  t.equal(keyWorthPlanning(keys, true), keys[1]);
});

t.test('a plan larger than all plans may be is not kept', async (t) => {
  const [key] = planKeys(aJob());
  t.notOk(keepPlan(key, { ...(await aPlan()), sizeBytes: 2 ** 40 }));
  t.equal(findPlan(key), undefined);
});

t.test('plans that are used often stay when each quality is asked for twice', async (t) => {
  const used = planKeys(aJob());
  // Two plans of this size fill the memory.
  const large = { ...(await aPlan()), sizeBytes: 60 * 1024 * 1024 };
  t.ok(keepPlan(used[1], large));
  for (let time = 0; time < 20; time += 1) findPlan(used[1]);
  let made = 0;
  for (let quality = 1; quality <= 100; quality += 1) {
    const keys = planKeys(aJob({ quality }));
    for (let time = 0; time < 2; time += 1) for (const key of keys) findPlan(key);
    const key = keyWorthPlanning(keys, false);
    if (key === undefined) continue;
    made += 1;
    keepPlan(key, large);
  }
  t.equal(findPlan(used[1]), large);
  t.ok(made > 0 && made < 100, `${made} others were made while there was room`);
  const popular = planKeys(aJob());
  for (let time = 0; time < 30; time += 1) for (const key of popular) findPlan(key);
  t.equal(keyWorthPlanning(popular, false), popular[1], 'what is asked for more often comes in');
});

t.test('what was asked for long ago counts for less than what is asked for now', async (t) => {
  const [, old] = planKeys(aJob());
  findPlan(old);
  // So many that all counts are halved, which one ask does not outlive.
  const [, other] = planKeys(aJob());
  for (let time = 0; time < 10_000; time += 1) findPlan(other);
  findPlan(old);
  t.equal(keyWorthPlanning([old, old], false), undefined, 'its first ask is forgotten');
  findPlan(old);
  t.equal(keyWorthPlanning([old, old], false), old);
});

t.test('lists of many letters leave no room in the heap for a plan of each quality', async (t) => {
  const font = { css: '10px Inter', size: 10, features: '', variations: '', letterSpacing: 0 };
  const glyphs = Array.from({ length: 10_000 }, (_, index) => {
    return { data: 'M0 0H9V9H0Z', x: index + 0.5, y: 0.5, scale: 0.001, slant: 0 };
  });
  const run = { text: 'a', x: 0, y: 0, width: 9, font, direction: 'ltr' as const, fill: '#000' };
  const box = { x: 0, y: 0, width: 9, height: 9 };
  const content: DisplayContent = {
    kind: 'text',
    backgrounds: [],
    runs: [{ ...run, glyphs }],
    lines: [],
    box,
    clips: false,
    stroke: undefined,
  };
  const plan = await aPlan({ ...list, items: [anItem(box, content)] });
  t.ok(plan.listBytes > 1024 * 1024, 'a letter is counted with a hundred bytes or more');
  const job = aJob();
  const keys = Array.from({ length: 100 }, (_, quality) => planKeys({ ...job, quality })[1]);
  for (const key of keys) t.ok(keepPlan(key, plan));
  const bytes = keys.filter((key) => findPlan(key) !== undefined).length * plan.listBytes;
  t.ok(bytes > 16 * 1024 * 1024 && bytes <= 64 * 1024 * 1024, `${bytes} bytes are kept of lists`);
});
