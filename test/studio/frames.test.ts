import { mock } from 'node:test';
import t from 'tap';
import { PlatenError } from '../../src/client/platen-client.ts';
import type { PreviewReport, PreviewRequest } from '../../src/client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { createFrames, frameRequest, scaleShown } from '../../src/studio/state/frames.ts';

function template(name: string, output?: Template['output']): Template {
  const variables = [{ name: 'who', type: 'text' as const, value: 'you' }];
  const more = output === undefined ? {} : { output };
  return { format: 1, name, width: 10, height: 10, variables, layers: [], ...more };
}

/** Draws when the test says so. */
function createDrawing() {
  const open: Array<{ request: PreviewRequest; finish: () => void; fail: (e: Error) => void }> = [];
  const draw = (request: PreviewRequest): Promise<PreviewReport> =>
    new Promise((resolve, fail) => {
      const image = `data:${request.template?.name}`;
      open.push({ request, fail, finish: () => resolve({ image } as PreviewReport) });
    });
  const host = new EventTarget();
  const frames = createFrames(draw, host);
  return { open, frames, host };
}

/** Lets promises that are settled go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

t.test('one request is on its way, and of those that wait only the newest is sent', async (t) => {
  const { open, frames } = createDrawing();
  for (const name of ['a', 'b', 'c']) frames.ask(template(name), {});
  t.equal(frames.asked.value, 3);
  t.equal(open.length, 1);
  open[0]?.finish();
  await settle();
  t.match(frames.frame.value, { number: 1, url: 'data:a', document: { name: 'a' } });
  t.same(
    open.map(({ request }) => request.template?.name),
    ['a', 'c'],
  );
  open[1]?.finish();
  await settle();
  t.match(frames.frame.value, { number: 3, url: 'data:c' });
  t.equal(open.length, 2);
});

t.test('an error keeps the image, and goes with the next good one', async (t) => {
  const { open, frames } = createDrawing();
  frames.ask(template('a'), {});
  open[0]?.finish();
  await settle();
  frames.ask(template('bad'), {});
  open[1]?.fail(new Error('no'));
  await settle();
  t.same(frames.error.value, { text: 'no', problems: [] });
  t.equal(frames.frame.value?.url, 'data:a');
  frames.ask(template('b'), {});
  frames.ask(template('c'), {});
  open[2]?.fail(new Error('of b'));
  await settle();
  t.equal(frames.error.value?.text, 'no', 'b is no longer on the screen');
  open[3]?.finish();
  await settle();
  t.equal(frames.error.value, undefined);
});

t.test(
  'after an outage the newest frame is asked for again, and a refusal is believed',
  async (t) => {
    t.teardown(() => mock.timers.reset());
    mock.timers.enable({ apis: ['setTimeout'] });
    const { open, frames, host } = createDrawing();
    const failWith = async (status: number): Promise<void> => {
      open.at(-1)?.fail(new PlatenError(`status ${status}`, { status }));
      await settle();
    };
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
    open[3]?.finish();
    await settle();
    t.match(frames.frame.value, { number: 1, url: 'data:a' });
    t.equal(frames.error.value, undefined);
    t.equal(frames.retry.value, undefined);

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
  },
);

t.test('nothing is shown or sent after the end', async (t) => {
  const { open, frames } = createDrawing();
  frames.ask(template('a'), {});
  frames.ask(template('b'), {});
  frames.close();
  open[0]?.finish();
  await settle();
  t.equal(frames.frame.value, undefined);
  t.equal(open.length, 1);
});

t.test('values of other templates stay out, and slow formats are edited as PNG', (t) => {
  const request = frameRequest(template('a'), { who: 'Zoë', where: 'there' });
  t.same(request.values, { who: 'Zoë' });
  t.equal(request.format, undefined);
  t.equal(frameRequest(template('a', { format: 'jpeg' }), {}).format, undefined);
  t.equal(frameRequest(template('a', { format: 'avif' }), {}).format, 'png');
  t.end();
});

t.test('contrasts are measured once nothing changes, and a change ends that', async (t) => {
  t.teardown(() => mock.timers.reset());
  mock.timers.enable({ apis: ['setTimeout'] });
  const { open, frames } = createDrawing();
  frames.ask(template('a'), {});
  t.equal(open[0]?.request.contrast, false);
  open[0]?.finish();
  await settle();
  mock.timers.tick(400);
  t.match(open[1]?.request, { contrast: true, inline: false });
  frames.ask(template('b'), {});
  open[2]?.finish();
  await settle();
  open[1]?.finish();
  await settle();
  t.match(frames.frame.value, { number: 2, url: 'data:b' }, 'its report came too late');
  frames.close();
});

t.test('a large image is asked for at the least scale that is sharp', (t) => {
  const large = { width: 4096, height: 4096 };
  const shown = [0.1, 0.125, 0.14, 0.4, 0.6].map((pixels) => scaleShown(large, pixels));
  t.same(shown, [0.125, 0.125, 0.25, 0.5, undefined]);
  t.equal(scaleShown({ width: 1200, height: 630 }, 0.1), undefined);
  t.equal(frameRequest(template('a'), {}, { scale: 0.25 }).scale, 0.25);
  t.end();
});
