/** What the threads of one host share: base renders and decoded images, made once. */
import t from 'tap';
import type { RenderJob, RenderOutcome, SourceImage } from '#wire/render-job.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { RenderHost } from '../../src/scheduling/hosts/host.ts';
import type { RenderThread } from '../../src/scheduling/hosts/thread.ts';
import { aLayer, aTemplate, aVariable } from '../fixtures/template-documents.ts';
import { readImage } from '../helpers/render.ts';

const folder = new URL('../../node_modules/.cache/platen-test', import.meta.url).pathname;
const fontConfigFile = await prepareFontEnvironment(folder);

/** Starts a host of two threads. */
function startHost(): Promise<[RenderHost, RenderThread, RenderThread]> {
  return new Promise((resolve, reject) => {
    const host = new RenderHost({ fontConfigFile }, 2, {
      onThread: () => {
        const [first, second] = host.threads;
        if (first !== undefined && second !== undefined) resolve([host, first, second]);
      },
      onThreadEnd: reject,
      onEnd: reject,
      hasKernelKilled: () => false,
    });
    t.teardown(() => host.kill('exit'));
  });
}

const [host, first, second] = await startHost();
const photo = await readImage('test/golden/images/photo.jpg');

const document = aTemplate({
  width: 400,
  height: 300,
  variables: [aVariable('name', 'text', 'nobody'), aVariable('photo', 'image', 'photo')],
  layers: [
    aLayer('image', { id: 'photo', width: 400, height: 300, src: '{{photo}}' }),
    aLayer('text', { id: 'name', x: 20, y: 20, width: 300, height: 40, text: 'For {{name}}' }),
  ],
});

function jobOf(key: string, name: string, changes: Partial<RenderJob> = {}): RenderJob {
  return {
    templateKey: `org_a:${key}`,
    templateJson: JSON.stringify(document),
    values: new Map([
      ['name', name],
      ['photo', 'photo'],
    ]),
    images: [['photo', photo]],
    format: 'jpeg',
    quality: 85,
    scale: 1,
    ...changes,
  };
}

type Rendered = RenderOutcome & { ok: true };

async function render(thread: RenderThread, job: RenderJob): Promise<Rendered> {
  const outcome = await host.run(thread, job);
  if (!outcome.ok) throw new Error(outcome.detail);
  return outcome;
}

const sameBytes = (a: Rendered, b: Rendered): boolean => Buffer.from(a.bytes).equals(b.bytes);

for (const format of ['jpeg', 'png'] as const) {
  t.test(`a base render of one thread serves the other: ${format}`, async (t) => {
    const job = (name: string): RenderJob => jobOf(`shared-${format}`, name, { format });
    const whole = await render(first, job('Ada'));
    t.equal(whole.drawn, 'whole');
    const made = await render(first, job('Grace'));
    t.equal(made.baseRender.isKept, true);
    for (const name of ['Grace', 'Ada', 'Wolfeschlegelsteinhausenbergerdorff', '你好']) {
      const [mine, others] = [await render(first, job(name)), await render(second, job(name))];
      t.same([mine.drawn, others.drawn], ['plan', 'plan'], name);
      t.equal(others.baseRender.buildMs, undefined, 'made once');
      t.ok(sameBytes(mine, others), 'byte for byte');
    }
  });
}

t.test('two threads make one base render when both want it at once', async (t) => {
  const job = (name: string): RenderJob => jobOf('at-once', name);
  await render(first, job('Ada'));
  const both = await Promise.all([render(first, job('b')), render(second, job('c'))]);
  const made = both.filter(({ baseRender }) => baseRender.buildMs !== undefined);
  t.equal(made.length, 1);
  // A part is known once the thread that has made it takes another job.
  await Promise.all([render(first, job('b')), render(second, job('c'))]);
  const after = await Promise.all([render(first, job('d')), render(second, job('e'))]);
  t.same(
    after.map(({ drawn }) => drawn),
    ['plan', 'plan'],
  );
});

t.test('a photograph that the other thread has decoded is not decoded again', async (t) => {
  await render(first, jobOf('photo-1', 'Ada'));
  // Another file under the digest of the photograph: a thread that decodes it fails.
  const damaged: SourceImage = { ...photo, bytes: photo.bytes.slice(0, 200) };
  const shown = await render(second, jobOf('photo-2', 'Ada', { images: [['photo', damaged]] }));
  t.ok(sameBytes(shown, await render(first, jobOf('photo-3', 'Ada'))));
  const resized = aTemplate({ ...document, width: 200 });
  const job = jobOf('photo-4', 'Ada', {
    templateJson: JSON.stringify(resized),
    images: [['photo', { ...damaged, digest: 'other' }]],
  });
  t.match(await host.run(second, job), { ok: false, code: 'BAD_IMAGE' }, 'the file is damaged');
});
