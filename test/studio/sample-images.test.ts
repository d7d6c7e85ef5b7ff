/** The images of sets of sample values give way to the canvas, and are asked for again after failures. */
import { mock } from 'node:test';
import { signal } from '@preact/signals';
import t from 'tap';
import type { Test } from 'tap';
import type { Template } from '#language/schema/template.ts';
import { PlatenError } from '../../src/client/platen-client.ts';
import { createPresetImages } from '../../src/studio/samples/preset-images.ts';
import type { PresetImages } from '../../src/studio/samples/preset-images.ts';
import type { Editor, Frame } from '../../src/studio/state/editor.ts';
import { documentOf } from './documents.ts';

const document = documentOf([], { variables: [{ name: 'name', type: 'text', value: 'Ann' }] });

type Answer = number | 'drawn';

interface Strip {
  drawn: PresetImages;
  document: ReturnType<typeof signal<Template>>;
  /** The number of the frame that the canvas has asked for, and has. */
  asked: ReturnType<typeof signal<number>>;
  /** The names in the requests, in their order. */
  requests: string[];
  /** Lets time pass, and what follows from it. */
  advance: (ms: number) => Promise<void>;
}

/** Sets named so, whose renders are answered as `answer` says: an image or an error of this status. */
function draw(
  t: Test,
  names: string[],
  answer: (name: string, signal: AbortSignal) => Answer | Promise<Answer>,
): Strip {
  mock.timers.enable({ apis: ['setTimeout'] });
  const shown = signal(document);
  const [asked, requests] = [signal(1), [] as string[]];
  const previewReport = async (
    { values }: { values: { name: string } },
    { signal: ended }: { signal: AbortSignal },
  ): Promise<object> => {
    requests.push(values.name);
    const answered = await answer(values.name, ended);
    if (answered !== 'drawn') throw new PlatenError('Broken', { status: answered });
    return { image: 'data:,', warnings: [], layers: [] };
  };
  const editor = {
    document: shown,
    validCopy: () => shown.value,
    values: signal({}),
    previewTime: signal(undefined),
    previewFrame: signal(undefined),
    frame: signal({ number: 1 } as Frame),
    frameError: signal(undefined),
    askedFrame: asked,
    service: { client: { previewReport } },
  } as unknown as Editor;
  const presets = names.map((name) => ({ id: name, name, values: { name }, isSaved: false }));
  const drawn = createPresetImages(editor, signal(presets));
  t.teardown(() => {
    drawn.close();
    mock.timers.reset();
  });
  const advance = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 50) {
      mock.timers.tick(50);
      await new Promise(setImmediate);
    }
  };
  return { drawn, document: shown, asked, requests, advance };
}

t.test('one is asked for at a time, and gives way while the canvas waits', async (t) => {
  const first = Promise.withResolvers<Answer>();
  const { drawn, asked, requests, advance } = draw(t, ['a', 'b'], (_, ended) => {
    ended.addEventListener('abort', () => first.reject(new Error('gave way')));
    return requests.length === 1 ? first.promise : 'drawn';
  });
  await advance(1000);
  t.same(requests, ['a']);
  t.equal(drawn.isDrawing.value, true);
  asked.value = 2;
  await advance(1000);
  t.same(requests, ['a'], 'the canvas has the service alone');
  asked.value = 1;
  await advance(1000);
  t.same(requests, ['a', 'a', 'b']);
  t.equal(drawn.isDrawing.value, false);
  t.same([...drawn.images.value.keys()], ['a', 'b']);
});

t.test('one that fails is asked for six times, and again after a change', async (t) => {
  const strip = draw(t, ['good', 'broken'], (name) => (name === 'broken' ? 500 : 'drawn'));
  const { drawn, requests, advance } = strip;
  const timesOf = (name: string): number => requests.filter((each) => each === name).length;
  await advance(300);
  t.equal(drawn.isDrawing.value, false, 'it is not awaited');
  t.same([...drawn.failed.value], ['broken']);
  await advance(600_000);
  t.same([timesOf('broken'), timesOf('good')], [6, 1]);
  strip.document.value = { ...document, name: 'Changed' };
  t.equal(drawn.isDrawing.value, true);
  t.equal(drawn.failed.value.size, 0);
  await advance(800);
  t.equal(timesOf('broken'), 7);
});

t.test('after an outage all come, however long it was', async (t) => {
  let isOut = true;
  const { drawn, requests, advance } = draw(t, ['a'], () => {
    if (!isOut) return 'drawn';
    return requests.length % 2 === 0 ? 0 : 502;
  });
  await advance(600_000);
  t.ok(requests.length > 12);
  t.same([...drawn.failed.value], ['a']);
  t.equal(drawn.images.value.size, 0, 'nothing is said of the link');
  isOut = false;
  await advance(31_000);
  t.match(drawn.images.value.get('a'), { url: 'data:,', warnings: [] });
  t.equal(drawn.failed.value.size, 0);
});

t.test('values that the link refuses are a warning, and no failure', async (t) => {
  const { drawn, requests, advance } = draw(t, ['a'], () => 400);
  await advance(60_000);
  t.equal(requests.length, 1);
  t.match(drawn.images.value.get('a'), { url: undefined, warnings: [{ code: 'REFUSED' }] });
  t.equal(drawn.failed.value.size, 0);
});
