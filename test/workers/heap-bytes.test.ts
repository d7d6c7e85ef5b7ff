/** What plain data takes of the heap is told well enough to bound caches by. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import type { DisplayList } from '../../workers/display-list.ts';
import { heapBytes } from '../../workers/heap-bytes.ts';
import { validTemplate } from '../helpers/render.ts';

const { layoutScene } = await import('../../workers/layout/layout.ts');
const { buildScene } = await import('../../workers/scene.ts');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function usedHeap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

t.test('what stands in several places counts once', (t) => {
  const part = { text: 'x'.repeat(1000), places: [0.5, 1.5, 2.5] };
  const once = heapBytes([part]);
  t.ok(once > 1000);
  t.ok(heapBytes([part, part, { text: part.text }]) < once + 500);
  t.ok(heapBytes([part, structuredClone(part), { text: 'y'.repeat(1000) }]) > once + 1000);
  t.equal(heapBytes(undefined), 0);
  t.end();
});

/** Layers of many letters each. */
const kinds = {
  marks: { text: `{{name}}${'a\u0301\u0302\u0303\u0304'.repeat(50)}` },
  path: { text: `{{name}}${'a'.repeat(60)}`, path: 'M0 0H99999' },
  spans: {
    spans: Array.from({ length: 30 }, (_, index) => ({
      text: index % 2 === 0 ? '{{name}}' : 'a ',
      underline: true,
      background: '#fff',
    })),
  },
};

t.test('a list of many letters takes no more than is counted, and a third at least', (t) => {
  for (const [kind, layer] of Object.entries(kinds)) {
    const box = { x: 0, y: 0, width: 9, height: 9, overflow: 'visible' };
    const template = validTemplate({
      format: 1,
      name: kind,
      width: 16,
      height: 16,
      variables: [{ name: 'name', type: 'text', value: 'a' }],
      layers: Array.from({ length: 10 }, (_, index) => ({
        id: `text-${index}`,
        type: 'text',
        ...box,
        ...layer,
      })),
    });
    const draw = (): DisplayList =>
      layoutScene(buildScene(template, new Map()), new Map()).displayList;
    const lists = [draw()];
    const before = usedHeap();
    while (lists.length < 6) lists.push(draw());
    const each = (usedHeap() - before) / 5;
    const counted = heapBytes(lists[0]);
    t.ok(counted > each && counted < 3 * each, `${kind}: ${counted} counted, ${each} taken`);
  }
  t.end();
});
