/** Where lines stand that grow, reach over their box or have high letters. */
import t from 'tap';
import type { TextLayer } from '#language/schema/text.ts';
import {
  engine,
  layoutLayer,
  measuring,
  paintedLines,
  paintedText,
  styles,
  textLayer,
  textStyle,
} from '../../helpers/text.ts';

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

t.test('high letters stand in a clipping box that they just fill', (t) => {
  for (const height of [26, 27]) {
    const layer = textLayer('Ếlise', { height, overflow: 'clip', fontSize: 20 });
    const y = paintedText(layoutLayer(layer)).runs[0]?.y ?? 0;
    t.ok(Math.abs(y - 21.775) <= 0.01, `${height} px: ${y}`);
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
      const position = { ...size, overflow };
      const plain = baseline('Amanda', position);
      const texts = overflow === 'visible' ? [...flat, ...deep] : flat;
      for (const text of texts) t.equal(baseline(text, position), plain, `${text} ${overflow}`);
      if (overflow === 'visible') continue;
      for (const text of deep) t.ok(baseline(text, position) < plain, `${text} ${overflow}`);
    }
  }
  // What cuts a visible text is the layer's clip and the end of the canvas, at 1000.
  for (const cut of [{ clip: { shape: 'rect' } }, { y: 930 }] as const) {
    const position = { height: 70, verticalAlign: 'bottom', overflow: 'visible', ...cut } as const;
    const plain = baseline('Amanda', position);
    for (const text of flat) t.equal(baseline(text, position), plain, text);
    for (const text of deep) t.ok(baseline(text, position) < plain, text);
  }
  t.end();
});

t.test('with firstBaseline font no letter moves a line or makes it smaller', (t) => {
  const texts = ['Ếlise', 'A\u0303\u0301', 'مُحَمَّد', 'ปี๊ญู', 'कृ', '山田', '🎉 Åse', ''];
  const heights = [20, 33, 40, 48, 70, 100];
  for (const verticalAlign of ['top', 'middle', 'bottom'] as const) {
    for (const overflow of ['shrink', 'grow', 'ellipsis', 'clip', 'visible'] as const) {
      for (const height of heights) {
        for (const y of [0, 100, 1000 - height]) {
          const position = { y, height, verticalAlign, overflow, firstBaseline: 'font' } as const;
          const first = (text: string): { y: number | undefined; size: number } => {
            const layout = layoutLayer(textLayer(text, { fontSize: 40, ...position }));
            return { y: paintedText(layout).runs[0]?.y, size: layout.fontSize };
          };
          const plain = first('Amanda');
          for (const text of texts) {
            const other = first(text);
            t.equal(other.size, plain.size, `size of ${text}`);
            if (text !== '') t.equal(other.y, plain.y, `${text} ${JSON.stringify(position)}`);
          }
        }
      }
    }
  }
  t.end();
});

t.test('with firstBaseline font the baseline follows from font, size and line height', (t) => {
  for (const [fontFamily, fontSize, lineHeight] of [
    ['Inter', 40, 1.2],
    ['Playfair Display', 30, 1.5],
    ['Caveat', 64, 1],
  ] as const) {
    const style = textStyle({ families: [fontFamily], size: fontSize });
    const { ascent, descent } = measuring.fontHeights(styles.fontFace(style, 'en', 'letters'), 'x');
    const leading = lineHeight - ascent - descent;
    const rest = { fontFamily, fontSize, lineHeight, y: 50, firstBaseline: 'font' } as const;
    const layer = textLayer('Ếgä', { ...rest, overflow: 'clip', height: 120 });
    const [run] = paintedText(layoutLayer(layer)).runs;
    const expected = 50 + fontSize * (leading / 2 + ascent);
    t.ok(Math.abs((run?.y ?? 0) - expected) < 0.001, `${fontFamily}: ${run?.y}, ${expected}`);
  }
  t.end();
});

t.test('the ink of a text is measured only where its box is tight', (t) => {
  const measured = (text: string, height: number): number => {
    const before = engine.measurementCount();
    layoutLayer(textLayer(text, { height, verticalAlign: 'middle' }));
    return engine.measurementCount() - before;
  };
  // The heights of the script, which are measured once.
  measured('Йод', 20);
  measured('Юрий', 200);
  t.equal(measured('Йорик', 200), 0, 'the highest letters of the script are in the box');
  t.equal(measured('Йолка', 20), 1, 'they would leave it');
  t.end();
});
