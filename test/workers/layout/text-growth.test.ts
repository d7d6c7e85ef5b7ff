/** Where lines stand that grow, reach over their box or have high letters. */
import t from 'tap';
import type { TextLayer } from '#language/schema/text.ts';
import { layoutLayer, paintedLines, paintedText, textLayer } from '../../helpers/text.ts';

t.test('a text at the bottom grows upwards, and any other downwards', (t) => {
  const text = 'Grow from the bottom upwards please';
  const low = { width: 150, height: 30, y: 100, overflow: 'grow' } as const;
  for (const verticalAlign of ['top', 'middle', 'bottom'] as const) {
    const { box, runs } = paintedText(layoutLayer(textLayer(text, { ...low, verticalAlign })));
    t.equal(box.height, 72, 'three lines of 24');
    const edge = verticalAlign === 'bottom' ? box.y + box.height : box.y;
    t.equal(edge, verticalAlign === 'bottom' ? 130 : 100, `${verticalAlign} keeps its edge`);
    t.ok(runs.every(({ y }) => y > box.y && y < box.y + box.height));
  }
  t.end();
});

t.test('nothing of a visible text is cut, whatever maxLines says', (t) => {
  t.same(
    paintedLines(
      layoutLayer(textLayer('One two three', { width: 80, overflow: 'visible', maxLines: 1 })),
    ),
    ['One two', 'three'],
  );
  t.end();
});

t.test('the first baseline and the size are those of any other value', (t) => {
  const first = (text: string, rest: Partial<TextLayer>): { y: number; size: number } => {
    const [run] = paintedText(layoutLayer(textLayer(text, { fontSize: 40, ...rest }))).runs;
    return { y: run?.y ?? 0, size: run?.font.size ?? 0 };
  };
  const boxes = [
    { y: 20, height: 60 },
    { y: 20, height: 48 },
    { y: 20, height: 40, verticalAlign: 'middle' as const },
  ];
  for (const box of boxes) {
    for (const text of ['Ếlise', 'Øyvind', 'A\u0303\u0301', 'Ėglė']) {
      t.same(first(text, box), first('Amanda', box), `${text} in ${box.height}`);
    }
  }
  const plain = first('Amanda', { y: 20, height: 60 });
  t.equal(first('ปี๊', { y: 20, height: 60 }).y, plain.y, 'another script beside it');
  for (const rest of [
    { y: 0, height: 48 },
    { y: 20, height: 48, overflow: 'clip' as const },
    { y: 20, height: 48, clip: { shape: 'rect' as const } },
  ]) {
    const [high, low] = [first('Ếlise', rest), first('Amanda', rest)];
    t.ok(high.y - rest.y >= 0.93 * high.size, 'what would be cut stands lower');
    t.equal(low.size, 40);
  }
  t.end();
});

t.test('letters that go low move the baseline only where their ink would be cut', (t) => {
  const baseline = (text: string, rest: Partial<TextLayer>): number => {
    const [run] = paintedText(layoutLayer(textLayer(text, { fontSize: 40, y: 100, ...rest }))).runs;
    t.equal(run?.font.size, 40);
    return run?.y ?? 0;
  };
  const sizes = [
    { height: 70, verticalAlign: 'bottom' },
    { height: 48, verticalAlign: 'bottom' },
    { height: 45, verticalAlign: 'top' },
    { height: 45, verticalAlign: 'middle' },
  ] as const;
  const flat = ['山田', 'مريم', 'ไทย', 'नेहा'];
  const deep = ['ญู', 'कृ'];
  for (const overflow of ['visible', 'ellipsis', 'shrink', 'grow', 'clip'] as const) {
    for (const size of sizes) {
      const place = { ...size, overflow };
      const plain = baseline('Amanda', place);
      const texts = overflow === 'visible' ? [...flat, ...deep] : flat;
      for (const text of texts) t.equal(baseline(text, place), plain, `${text} ${overflow}`);
      if (overflow === 'visible') continue;
      for (const text of deep) t.ok(baseline(text, place) < plain, `${text} ${overflow}`);
    }
  }
  // What cuts a visible text is the layer's clip and the end of the canvas, at 1000.
  for (const cut of [{ clip: { shape: 'rect' } }, { y: 930 }] as const) {
    const place = { height: 70, verticalAlign: 'bottom', overflow: 'visible', ...cut } as const;
    const plain = baseline('Amanda', place);
    for (const text of flat) t.equal(baseline(text, place), plain, text);
    for (const text of deep) t.ok(baseline(text, place) < plain, text);
  }
  t.end();
});
