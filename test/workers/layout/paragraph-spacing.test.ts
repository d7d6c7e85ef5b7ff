/** Space between paragraphs: where their lines stand, and what of them a box holds. */
import t from 'tap';
import type { StackLayer } from '#language/schema/layers.ts';
import type { TextLayer } from '#language/schema/text.ts';
import type { DisplayItem } from '../../../workers/display-list.ts';
import { layoutLayer, paintedText, textLayer, textScene } from '../../helpers/text.ts';

const { layoutScene } = await import('../../../workers/layout/layout.ts');

const three = 'One\nTwo is longer than the box is\nThree';

/** Baselines of the lines, from top to bottom. */
function baselines(text: string, rest: Partial<TextLayer>): number[] {
  const { runs } = paintedText(layoutLayer(textLayer(text, rest)));
  return [...new Set(runs.map(({ y }) => y))];
}

/** Distances of the lines, in hundredths of a design pixel. */
function distances(text: string, rest: Partial<TextLayer>): number[] {
  const lines = baselines(text, rest);
  return lines.slice(1).map((y, index) => Math.round((y - (lines[index] ?? 0)) * 100) / 100);
}

t.test('space stands between paragraphs, not between the lines of one', (t) => {
  const rest = { height: 300, overflow: 'clip', paragraphSpacing: 10 } as const;
  t.same(distances(three, rest), [34, 24, 34]);
  t.same(distances('One\n\nTwo', rest), [68], 'an empty paragraph has its own space');
  t.same(distances('One\r\nTwo\u2028Three', rest), [34, 34], 'every line break');
  t.same(distances(three, { ...rest, paragraphSpacing: 0 }), [24, 24, 24]);
  t.end();
});

t.test('no space stands above the first paragraph and below the last', (t) => {
  const first = (rest: Partial<TextLayer>): number | undefined =>
    baselines('One\nTwo', { height: 200, ...rest })[0];
  const apart = { paragraphSpacing: 30 };
  t.equal(first(apart), first({}));
  for (const [verticalAlign, moved] of [
    ['middle', 15],
    ['bottom', 30],
  ] as const) {
    const y = first({ ...apart, verticalAlign });
    t.equal(y, (first({ verticalAlign }) ?? 0) - moved, verticalAlign);
  }
  t.end();
});

t.test('space shrinks with the letters, and counts when they are fitted', (t) => {
  const rest = { width: 400, height: 60, minSize: 5 } as const;
  const apart = layoutLayer(textLayer('One\nTwo\nThree', { ...rest, paragraphSpacing: 20 }));
  const close = layoutLayer(textLayer('One\nTwo\nThree', rest));
  t.ok(apart.fontSize < close.fontSize, `${apart.fontSize} px`);
  t.equal(apart.lines, 3);
  t.same(apart.warnings, []);
  const expected = Math.round(apart.fontSize * (1.2 + 1) * 100) / 100;
  t.same(distances('One\nTwo\nThree', { ...rest, paragraphSpacing: 20 }), [expected, expected]);
  // It fits tightly: half a pixel more would not.
  const { runs } = paintedText(apart);
  const reach = (runs.at(-1)?.y ?? 0) - (runs[0]?.y ?? 0);
  t.ok((reach * (apart.fontSize + 0.5)) / apart.fontSize + 0.9 * apart.fontSize > 60);
  t.end();
});

t.test('an ellipsis ends the last line that the space leaves', (t) => {
  const text = 'One\nTwo\nThree\nFour';
  const rest = { height: 80, overflow: 'ellipsis' } as const;
  t.same(layoutLayer(textLayer(text, rest)).lineTexts, ['One', 'Two', 'Three…']);
  const apart = layoutLayer(textLayer(text, { ...rest, paragraphSpacing: 12 }));
  t.same(apart.lineTexts, ['One', 'Two…']);
  t.same(
    apart.warnings.map(({ code }) => code),
    ['TEXT_TRUNCATED'],
  );
  t.end();
});

t.test('a text that grows or hugs is as high as its lines and the space', (t) => {
  const text = { ...textLayer('One\nTwo\nThree'), paragraphSpacing: 11 };
  const grown = layoutLayer({ ...text, height: 20, overflow: 'grow' });
  t.equal(paintedText(grown).box.height, 3 * 24 + 2 * 11);
  const stack: StackLayer = {
    id: 'stack',
    type: 'stack',
    direction: 'column',
    x: 0,
    y: 0,
    width: 200,
    height: 'hug',
    layers: [
      { ...text, id: 'hug', height: 'hug' },
      { ...text, id: 'low', height: 10, overflow: 'grow' },
      { ...textLayer('end'), id: 'end', height: 24 },
    ],
  };
  const { displayList } = layoutScene({ ...textScene(), layers: [stack] }, new Map());
  const [{ content } = {} as DisplayItem] = displayList.items;
  const items = content.kind === 'group' ? content.items : [];
  t.same(
    items.map(({ box }) => [box.y, box.height]),
    [
      [0, 94],
      [94, 94],
      [188, 24],
    ],
  );
  t.end();
});
