/** The copy of an edited document that the studio sends to the service. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { validCopy } from '#language/check/valid-copy.ts';
import { ValidCopies } from '../../src/studio/state/valid-copies.ts';
import { documentOf } from './documents.ts';

const card = documentOf([
  { id: 'bar', type: 'rect', x: 0, y: 0, width: 40, height: 40, fill: '#20639b' },
  { id: 'title', type: 'text', x: 0, y: 60, width: 200, height: 30, text: 'Hello', fontSize: 20 },
]);
const loaded = { validCopy };

/** The document with other properties of its first layer. */
function withBar(document: Template, changes: object): Template {
  const [bar, ...others] = document.layers;
  return { ...document, layers: [{ ...bar, ...changes } as Template['layers'][number], ...others] };
}

/** The copies of a document whose check is there. */
async function copiesOf(document: Template): Promise<ValidCopies> {
  const copies = new ValidCopies(document, async () => loaded);
  await copies.of({ ...document });
  return copies;
}

t.test('a valid document is sent itself, and an unfinished value as it was before', async (t) => {
  const copies = await copiesOf(card);
  const moved = withBar(card, { x: 10 });
  t.equal(copies.of(moved), moved);
  t.equal(copies.unfinished.value, undefined);
  const unfinished = withBar(moved, { fill: '#2063x' });
  t.match(copies.of(unfinished), { layers: [{ x: 10, fill: '#20639b' }, { id: 'title' }] });
  t.match(copies.unfinished.value, { problems: [{ path: 'layers[0].fill' }], isTooLong: false });
  const copy = copies.of(unfinished);
  t.equal(copies.of(unfinished), copy, 'one document has one copy');
  t.equal(copies.of(card), card);
  t.equal(copies.unfinished.value, undefined);
});

t.test('what a copy shares with the one before keeps its identity', async (t) => {
  const copies = await copiesOf(card);
  const first = copies.ofNow(withBar(card, { fill: 'red ' }));
  const second = copies.ofNow(withBar(card, { fill: 'red x' }));
  t.equal(second, first, 'the same values are the same object');
  const third = copies.ofNow(withBar(card, { fill: 'red x', x: 5 }));
  t.not(third, first);
  t.equal(third.layers[1], first.layers[1]);
});

t.test(
  'until the check is loaded a copy is promised, and without it the document is sent',
  async (t) => {
    let calls = 0;
    const copies = new ValidCopies(card, async () => {
      calls += 1;
      return calls === 1 ? undefined : loaded;
    });
    const unfinished = withBar(card, { width: -1 });
    t.equal(copies.ofNow(unfinished), unfinished);
    t.equal(await copies.of(unfinished), unfinished, 'the service says what is wrong');
    const next = withBar(card, { width: -2 });
    t.match(await copies.of(next), { layers: [{ width: 40 }, {}] }, 'the next one loads it again');
    t.match(copies.unfinished.value, { problems: [{ path: 'layers[0].width' }] });
  },
);

t.test('a copy in a size has its overrides', async (t) => {
  const tall = { name: 'tall', width: 300, height: 600 };
  const sized = withBar({ ...card, sizes: [tall] }, { bySize: { tall: { x: 7 } } });
  const copies = await copiesOf(sized);
  t.match(await copies.inSize(sized, 'tall'), { height: 600, layers: [{ x: 7 }, {}] });
  t.equal(await copies.inSize(sized, undefined), sized);
});
