/** What plain data takes of the heap is estimated well enough to bound caches by, whatever strings it holds. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import { compactBytes } from '../../workers/heap-bytes.ts';
import { aTemplate } from '../fixtures/template-documents.ts';
import { validTemplate } from '../helpers/render.ts';

const { layoutScene } = await import('../../workers/layout/layout.ts');
const { bindScene } = await import('../../workers/bind-scene.ts');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function usedHeap(): number {
  // What only a finaliser held goes with the second.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** A text that stands nowhere else in the heap, unlike a literal. */
function freshText(text: string): string {
  return structuredClone(text);
}

/**
 * Bytes that each of six more `make` leaves on the heap once its caches are warm, and what one is counted as. `forget`
 * empties memory that has bounds of its own.
 */
function measure(
  make: () => unknown,
  forget: () => void = () => undefined,
): { counted: number; taken: number } {
  const kept: unknown[] = [];
  let counted = 0;
  const keepMore = (count: number): void => {
    while (kept.length < count) {
      const data = make();
      counted = compactBytes(data);
      kept.push(data);
    }
  };
  keepMore(2);
  forget();
  const before = usedHeap();
  keepMore(8);
  forget();
  return { counted, taken: (usedHeap() - before) / 6 };
}

t.test('what stands in several positions counts once', async (t) => {
  const part = { text: 'x'.repeat(1000), positions: [0.5, 1.5, 2.5] };
  const once = compactBytes([part]);
  t.ok(once > 1000);
  t.ok(compactBytes([part, part, { text: part.text }]) < once + 500);
  t.ok(compactBytes([part, structuredClone(part), { text: 'y'.repeat(1000) }]) > once + 1000);
  t.equal(compactBytes(undefined), 0);
});

t.test('equal texts become one, pieces let go of their wholes, and all says what it said', (t) => {
  const long = '\u6F22\u5B57'.repeat(10_000);
  const texts = {
    equal: () => Array.from({ length: 50 }, () => ({ text: freshText(long) })),
    pieces: () => Array.from({ length: 50 }, () => ({ text: freshText(long).slice(5, 25) })),
    sums: () => Array.from({ length: 50 }, (_, index) => [`${freshText(long)}${index}`]),
    pairs: () =>
      Array.from({ length: 50 }, (_, index) => [`\uD800 "${index}" \u0000\uDC00 \u00E9 \n`]),
  };
  for (const [kind, make] of Object.entries(texts)) {
    const data = make();
    compactBytes(data);
    t.same(data, make(), kind);
    const { counted, taken } = measure(make);
    t.ok(counted > taken, `${kind}: ${counted} counted, ${taken} taken`);
  }
  t.end();
});

/** Layers of many letters each, or of long texts, which are equal or differ, and one of its letters. */
const box = { x: 0, y: 0, width: 9, height: 9 };
const text = { type: 'text', ...box, overflow: 'visible' };
const manyWords = '{{words}}'.repeat(20);
const span = { text: 'a ', underline: true, background: '#fff' };
const kinds: Record<string, (index: number) => object> = {
  marks: () => ({ ...text, text: `{{name}}${'a\u0301\u0302\u0303\u0304'.repeat(50)}` }),
  path: () => ({ ...text, text: `{{name}}${'a'.repeat(60)}`, path: 'M0 0H99999' }),
  spans: () => ({
    ...text,
    spans: [...Array(15)].flatMap(() => [{ ...span, text: '{{name}}' }, span]),
  }),
  'Chinese lines': (index) => ({ ...text, text: `${index}{{name}}{{words}}` }),
  'equal drawings': () => ({ type: 'svg', ...box, svg: drawing(manyWords) }),
  'differing drawings': (index) => ({ type: 'svg', ...box, svg: drawing(`${index}${manyWords}`) }),
  'equal codes': () => ({ type: 'barcode', kind: 'pdf417', ...box, value: 'code {{digits}}' }),
  'differing codes': (index) => ({ type: 'qr', ...box, value: `${index} {{digits}}` }),
};

function drawing(title: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>${title}</title></svg>`;
}

const variables = [
  { name: 'name', type: 'text', value: 'a' },
  { name: 'words', type: 'text', value: '\u6F22\u5B57\u4EA4\u3058\u308A\u6587'.repeat(40) },
  { name: 'digits', type: 'text', value: '0123456789'.repeat(40) },
];

/** A layer that takes all memory of what layers were bound to: none of another is kept. */
const filler = {
  ...validTemplate(aTemplate({ variables })),
  layers: [{ id: 'filler', ...text, text: `{{name}}${'a'.repeat(16_700_000)}` } as Layer],
};

t.test('a list takes no more than is counted, and a third at least', async (t) => {
  for (const [kind, layer] of Object.entries(kinds)) {
    const ids = Array.from({ length: 10 }, (_, index) => `layer-${index}`);
    const layers = ids.map((id, index) => ({ id, ...layer(index) }));
    const template = validTemplate(aTemplate({ variables, layers }));
    const values = new Map(variables.map(({ name, value }) => [name, value]));
    // A template of its own: layers that are bound to the values of the last render are shared by lists.
    const { counted, taken } = measure(
      () => layoutScene(bindScene(structuredClone(template), values), new Map()).displayList,
      () => bindScene(filler, values),
    );
    t.ok(counted > taken && counted < 3 * taken, `${kind}: ${counted} counted, ${taken} taken`);
  }
});
