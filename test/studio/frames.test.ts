import { mock } from 'node:test';
import t from 'tap';
import { PlatenError } from '../../src/client/platen-client.ts';
import type { PreviewReport, PreviewRequest } from '../../src/client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { documentOf } from './documents.ts';
import { withoutDefaults } from '../../src/studio/publish/share-links.ts';
import { createFrames, frameRequest, scaleShown } from '../../src/studio/state/frames.ts';

function template(name: string, output?: Template['output']): Template {
  const variables = [{ name: 'who', type: 'text', value: 'you' }];
  return documentOf([], { name, variables, ...(output && { output }) });
}

interface Drawing {
  request: PreviewRequest;
  finish: () => Promise<void>;
  fail: (error: Error) => Promise<void>;
}

/** Draws when the test says so. What waits for it has gone on then. */
function createDrawing() {
  const open: Drawing[] = [];
  const draw = (request: PreviewRequest): Promise<PreviewReport> =>
    new Promise((resolve, reject) => {
      const settle = (_done: void): Promise<void> => new Promise(setImmediate);
      const image = `data:${request.template?.name}`;
      const finish = () => settle(resolve({ image } as PreviewReport));
      open.push({ request, finish, fail: (error) => settle(reject(error)) });
    });
  const host = new EventTarget();
  return { open, frames: createFrames(draw, host), host };
}

t.test('one request is on its way, and of those that wait only the newest is sent', async (t) => {
  const { open, frames } = createDrawing();
  for (const name of ['a', 'b', 'c']) frames.ask(template(name), {});
  t.equal(frames.asked.value, 3);
  t.equal(open.length, 1);
  await open[0]?.finish();
  t.match(frames.frame.value, { number: 1, url: 'data:a', document: { name: 'a' } });
  const names = open.map(({ request }) => request.template?.name);
  t.same(names, ['a', 'c']);
  await open[1]?.finish();
  t.match(frames.frame.value, { number: 3, url: 'data:c' });
  t.equal(open.length, 2);
});

t.test('a frame of what is undone meanwhile does not replace the right one', async (t) => {
  const { open, frames } = createDrawing();
  const [before, moved, values] = [template('before'), template('moved'), {}];
  frames.ask(before, values);
  await open[0]?.finish();
  frames.ask(moved, values);
  frames.ask(before, values);
  await open[1]?.finish();
  t.match(frames.frame.value, { number: 1, url: 'data:before' });
  await open[2]?.finish();
  t.match(frames.frame.value, { number: 3, url: 'data:before' });
  frames.ask(moved, values);
  frames.ask(before, values);
  const next = template('next');
  frames.ask(next, values);
  await open[3]?.finish();
  t.match(frames.frame.value, { number: 3 }, 'nor when the next change has come, too');
  await open[4]?.finish();
  t.match(frames.frame.value, { number: 6, url: 'data:next' });
  for (const who of ['A', 'Am']) frames.ask(next, { who });
  await open[5]?.finish();
  t.match(frames.frame.value, { number: 7, values: { who: 'A' } }, 'but what is typed is');
});

t.test('an error keeps the image, and goes with the next good one', async (t) => {
  const { open, frames } = createDrawing();
  frames.ask(template('a'), {});
  await open[0]?.finish();
  frames.ask(template('bad'), {});
  await open[1]?.fail(new Error('no'));
  t.same(frames.error.value, { text: 'no', problems: [] });
  t.equal(frames.frame.value?.url, 'data:a');
  frames.ask(template('b'), {});
  frames.ask(template('c'), {});
  await open[2]?.fail(new Error('of b'));
  t.equal(frames.error.value?.text, 'no', 'b is no longer on the screen');
  await open[3]?.finish();
  t.equal(frames.error.value, undefined);
});

t.test('after an outage the newest frame is asked for again, after a refusal not', async (t) => {
  t.teardown(() => mock.timers.reset());
  mock.timers.enable({ apis: ['setTimeout'] });
  const { open, frames, host } = createDrawing();
  const failWith = async (status: number): Promise<void> =>
    open.at(-1)?.fail(new PlatenError(`status ${status}`, { status }));
  frames.ask(template('a'), {});
  await failWith(0);
  t.match(frames.error.value?.text, /does not answer/);
  mock.timers.tick(999);
  t.equal(open.length, 1);
  mock.timers.tick(1);
  t.equal(open.length, 2, 'by itself after a second');
  await failWith(502);
  mock.timers.tick(1999);
  t.equal(open.length, 2, 'and then after twice as long');
  host.dispatchEvent(new Event('online'));
  t.equal(open.length, 3, 'or when the machine has a network again');
  await failWith(503);
  frames.retry.value?.();
  t.equal(open.length, 4, 'or when a person wants it');
  mock.timers.tick(60_000);
  t.equal(open.length, 4, 'while none is on its way');
  await open[3]?.finish();
  t.match(frames.frame.value, { number: 1, url: 'data:a' });
  t.same([frames.error.value, frames.retry.value], [undefined, undefined]);

  frames.ask(template('bad'), {});
  await failWith(400);
  t.equal(frames.retry.value, undefined, 'what was refused would be refused again');
  mock.timers.tick(60_000);
  t.equal(open.length, 5);
  frames.ask(template('c'), {});
  await failWith(0);
  frames.close();
  mock.timers.tick(60_000);
  host.dispatchEvent(new Event('online'));
  t.equal(open.length, 6, 'nor is anything after the end');
});

t.test('nothing is shown or sent after the end', async (t) => {
  const { open, frames } = createDrawing();
  frames.ask(template('a'), {});
  frames.ask(template('b'), {});
  frames.close();
  await open[0]?.finish();
  t.equal(frames.frame.value, undefined);
  t.equal(open.length, 1);
});

t.test('values of other templates stay out, and slow formats are edited as PNG', async (t) => {
  const price = { name: 'price', type: 'number' as const, value: '1' };
  const german = template('a', { format: 'png' });
  const priced = { ...german, lang: 'de', variables: [price] };
  t.same(frameRequest(priced, { price: '1.234' }).values, { price: '1,234' }, 'as people write it');
  t.same(frameRequest({ ...priced, lang: 'en' }, { price: '1.234' }).values, { price: '1.234' });
  const typed = [{ name: 'price', value: '1.234', isPersonal: false }];
  t.match(withoutDefaults(typed, priced), [{ value: '1,234' }], 'a link too');
  t.match(withoutDefaults(typed, { ...priced, lang: 'ja' }), [{ value: '1.234' }]);
  const request = frameRequest(template('a'), { who: 'Zoë', where: 'there' });
  t.same(request.values, { who: 'Zoë' });
  t.equal(request.format, undefined);
  t.equal(frameRequest(template('a', { format: 'jpeg' }), {}).format, undefined);
  t.equal(frameRequest(template('a', { format: 'avif' }), {}).format, 'png');
});

t.test('contrasts are measured once nothing changes, and a change ends that', async (t) => {
  t.teardown(() => mock.timers.reset());
  mock.timers.enable({ apis: ['setTimeout'] });
  const { open, frames } = createDrawing();
  frames.ask(template('a'), {});
  t.equal(open[0]?.request.contrast, false);
  await open[0]?.finish();
  mock.timers.tick(400);
  t.match(open[1]?.request, { contrast: true, inline: false });
  frames.ask(template('b'), {});
  await open[2]?.finish();
  await open[1]?.finish();
  t.match(frames.frame.value, { number: 2, url: 'data:b' }, 'its report came too late');
  frames.close();
});

t.test('a large image is asked for at the least scale that is sharp', async (t) => {
  const large = { width: 4096, height: 4096 };
  const shown = [0.1, 0.125, 0.14, 0.4, 0.6].map((pixels) => scaleShown(large, pixels));
  t.same(shown, [0.125, 0.125, 0.25, 0.5, undefined]);
  t.equal(scaleShown({ width: 1200, height: 630 }, 0.1), undefined);
  t.equal(frameRequest(template('a'), {}, { scale: 0.25 }).scale, 0.25);
});
