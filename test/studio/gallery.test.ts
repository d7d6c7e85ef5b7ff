import { mock } from 'node:test';
import t from 'tap';
import { freeName } from '../../src/studio/gallery/free-name.ts';
import type { PlatenClient, TemplateSummary } from '../../src/client/platen-client.ts';
import { checkTemplate } from '#language/template.ts';
import { createDrawQueue } from '../../src/studio/gallery/draw-queue.ts';
import {
  blankDocument,
  commonSizes,
  nameOfAddress,
  nameOfFile,
  imageDocument,
  toSide,
} from '../../src/studio/gallery/new-documents.ts';
import {
  arrangeTemplates,
  createTemplateList,
  withMostWords,
} from '../../src/studio/gallery/template-list.ts';
import { createManyActions } from '../../src/studio/gallery/many-templates.ts';
import { uploadFetch, watchUpload } from '../../src/studio/state/service.ts';
import { timeAgo } from '../../src/studio/wording.ts';

function summary(uid: string, name: string, day = 1): TemplateSummary {
  const time = `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;
  const names = { uid, name, type: 'image' as const, folder: '', tags: [] };
  return { ...names, created_at: time, updated_at: time, version: null, state: 'draft' };
}

t.test('a copy gets the next free number if its name is taken', async (t) => {
  const templates = ['Welcome', 'Welcome 2', 'Sale 2026'].map((name) => ({ name }));
  const names = ['Welcome', 'Welcome 2', 'Sale 2026', 'Cart'].map((x) => freeName(x, templates));
  t.same(names, ['Welcome 3', 'Welcome 3', 'Sale 2026 2', 'Cart']);
  const longest = 'x'.repeat(200);
  t.ok(freeName(longest, [{ name: longest }]).length <= 200);
});

t.test('a search of designs finds those with most of its words', async (t) => {
  const designs = ['Welcome banner', 'Welcome, light', 'Cart'].map((words) => ({ words }));
  const found = (search: string): string[] => withMostWords(designs, search).map((x) => x.words);
  t.same(found(' wélcome  banner photo'), ['Welcome banner']);
  t.same(found('welcome photo'), ['Welcome banner', 'Welcome, light']);
  t.same(found(''), ['Welcome banner', 'Welcome, light', 'Cart']);
  t.same(found('birthday'), []);
});

t.test('every new document is one that the service takes', async (t) => {
  for (const { id, name, width, height, settings } of commonSizes) {
    const document = blankDocument(name, width, height, settings);
    t.ok(checkTemplate(document).ok, name);
    t.equal(document.onError, id === 'email' ? 'image' : undefined, 'emails never show an error');
  }
  const id = `asset:${'0'.repeat(64)}`;
  const photo = imageDocument('Photo', { id, type: 'image/jpeg', width: 6000, height: 3000 });
  t.ok(checkTemplate(photo).ok);
  t.match(photo, { width: 1200, height: 600, output: { format: 'jpeg' } });
  t.match(photo.layers, [{ type: 'image', src: id, width: 1200, height: 600 }]);
  const small = imageDocument('Small', { id, type: 'image/png', width: 640, height: 1200 });
  t.match(small, { width: 640, height: 1200 }, 'a smaller one keeps its size');
  const icon = imageDocument('Icon', { id, type: 'image/svg+xml', width: 24.4, height: 0.2 });
  t.ok(checkTemplate(icon).ok);
  t.match(icon, { width: 24, height: 1 });
  t.notOk('output' in icon);
  t.same([toSide(Number.NaN), toSide(-4), toSide(99_999), toSide(12.6)], [1, 1, 4096, 13]);
});

t.test('a file or an address gives a name that people read', async (t) => {
  t.equal(nameOfFile('summer_sale-2.PNG'), 'summer sale 2');
  t.equal(nameOfFile('.png'), 'Untitled');
  t.equal(nameOfFile('a'.repeat(300)).length, 200);
  t.equal(nameOfAddress('https://x.example/p/Big%20sale.jpg?size=2'), 'Big sale');
  t.equal(nameOfAddress('https://x.example/%'), '%');
});

t.test('templates are found by words of their names and uids, without accents and case', (t) => {
  const all = [summary('tpl_1', 'Zoë’s card', 1), summary('banner', 'Big sale 10', 3)];
  all.push(summary('banner-2', 'Big sale 9', 2));
  const found = (search: string, order: 'changed' | 'name' = 'changed'): string[] =>
    arrangeTemplates(all, search, order).map(({ uid }) => uid);
  t.same(found(''), ['banner', 'banner-2', 'tpl_1']);
  t.same(found('zoe'), ['tpl_1']);
  t.same(found('SALE big'), ['banner', 'banner-2']);
  t.same(found('', 'name'), ['banner-2', 'banner', 'tpl_1'], '9 before 10');
  t.same(found('nothing'), []);
  t.end();
});

t.test('all pages are read, also when a template moves between them', async (t) => {
  /** Loads this many templates, with a new one that comes while the first page is read. */
  const load = async (length: number, isMoving: boolean) => {
    const all = Array.from({ length }, (_, index) => summary(`t${index}`, `T ${index}`));
    const asked: unknown[] = [];
    const listTemplates: PlatenClient['listTemplates'] = async (query) => {
      const { limit = 0, offset = 0, archived } = query ?? {};
      asked.push(`${offset} ${archived}`);
      const start = isMoving && offset > 0 ? offset - 1 : offset;
      return { templates: all.slice(start, start + limit), total: length, limit, offset };
    };
    const list = createTemplateList({ listTemplates }, false);
    await list.load();
    t.equal(list.state.value, 'ready');
    t.equal(list.templates.value.length, length);
    return { list, asked };
  };
  const full = await load(200, false);
  t.same(full.asked, ['0 false', '100 false'], 'past a full last page the service answers 404');
  const { list, asked } = await load(230, true);
  t.same(asked, ['0 false', '100 false', '200 false']);
  list.put({ ...summary('t3', 'New name') });
  t.equal(list.templates.value[3]?.name, 'New name');
  list.put(summary('t999', 'Fresh'));
  t.equal(list.templates.value[0]?.uid, 't999');
  list.remove('t999');
  t.equal(list.templates.value.length, 230);
});

t.test('templates that are moved and tagged show it at once', async (t) => {
  // A notice goes after some seconds.
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const shown: TemplateSummary[] = [];
  const request = async (_: string, { body }: { body: object }) => ({ folder: 'A', ...body });
  const list = { put: (template: TemplateSummary) => shown.push(template) };
  const lists = { used: list, archived: list };
  const actions = createManyActions({ client: { request } } as never, lists as never);
  const template = { ...summary('card', 'Card'), tags: ['vip', 'old'] };
  await actions.move([template], 'Spring');
  await actions.tag([template], { add: ['email'], remove: ['old'] });
  t.match(shown, [
    { uid: 'card', folder: 'Spring' },
    { folder: 'A', tags: ['vip', 'email'] },
  ]);
});

t.test('a list that cannot be read says why, and can be read again', async (t) => {
  let isUp = false;
  const listTemplates = async () => {
    if (!isUp) throw new Error('no answer');
    return { templates: [summary('a', 'A')], total: 1, limit: 100, offset: 0 };
  };
  const list = createTemplateList({ listTemplates }, true);
  await list.load();
  t.same([list.state.value, list.problem.value], ['failed', 'no answer']);
  isUp = true;
  await list.load();
  t.same([list.state.value, list.problem.value], ['ready', undefined]);
});

t.test('a queue runs as many as it may, in their order, and forgets who leaves', async (t) => {
  const queue = createDrawQueue(2);
  const log: string[] = [];
  const finish = new Map<string, () => void>();
  const { signal: unaborted } = new AbortController();
  const ask = (name: string, signal = unaborted): Promise<string> =>
    queue.run(async () => {
      log.push(name);
      await new Promise<void>((resolve) => finish.set(name, resolve));
      return name;
    }, signal);
  const leaving = new AbortController();
  const [a, b, c, d] = [ask('a'), ask('b'), ask('c', leaving.signal), ask('d')];
  await Promise.resolve();
  t.same(log, ['a', 'b']);
  leaving.abort(new Error('gone'));
  await t.rejects(c, /gone/);
  finish.get('b')?.();
  t.equal(await b, 'b');
  await new Promise(setImmediate);
  t.same(log, ['a', 'b', 'd']);
  finish.get('a')?.();
  finish.get('d')?.();
  t.same(await Promise.all([a, d]), ['a', 'd']);
  await t.rejects(
    queue.run(() => Promise.reject(new Error('no')), unaborted),
    /no/,
  );
  t.equal(await queue.run(async () => 'next', unaborted), 'next');
});

t.test('an image that the service has no capacity for is requested again', async (t) => {
  const queue = createDrawQueue(1);
  let attempts = 0;
  const answer = await queue.run(async () => {
    attempts += 1;
    if (attempts === 1) throw Object.assign(new Error('busy'), { status: 503 });
    return 'drawn';
  }, new AbortController().signal);
  t.same([answer, attempts], ['drawn', 2]);
});

t.test('an upload that has ended before it is sent is refused like a fetch', async (t) => {
  const body = new Blob(['image']);
  watchUpload(body, () => t.fail('nothing is sent'));
  const init = { method: 'POST', body, signal: AbortSignal.abort() };
  await t.rejects(uploadFetch('https://x.example/', init), { name: 'AbortError' });
});

t.test('a time reads as people say it', async (t) => {
  const nowMs = Date.parse('2026-03-10T12:00:00Z');
  t.equal(timeAgo('2026-03-10T11:59:40Z', nowMs), 'just now');
  t.equal(timeAgo('2026-03-10T11:57:00Z', nowMs), '3 minutes ago');
  t.equal(timeAgo('2026-03-09T11:00:00Z', nowMs), 'yesterday');
  t.equal(timeAgo('2026-03-11T00:00:00Z', nowMs), 'just now', 'clocks differ');
});
