/** Tab stops: where fields stand, where lines end, and what a box holds of them. */
import t from 'tap';
import type { TextLayer } from '#language/schema/text.ts';
import type { TextRun } from '../../../workers/display-list.ts';
import { layoutLayer, paintedText, textLayer, textScene } from '../../helpers/text.ts';

const { layoutScene } = await import('../../../workers/layout/layout.ts');

type TabStops = NonNullable<TextLayer['tabStops']>;

const price: TabStops = [{ at: 200, align: 'end' }];

/** Left and right edge of each run by its text, in whole design pixels. */
function edges(text: string, rest: Partial<TextLayer> = {}): Record<string, number[]> {
  const { runs } = paintedText(layoutLayer(textLayer(text, { tabStops: price, ...rest })));
  return Object.fromEntries(
    runs.map((run) => [run.text, [run.x, run.x + run.width].map(Math.round)]),
  );
}

function linesOf(text: string, rest: Partial<TextLayer> = {}): string[] {
  return layoutLayer(textLayer(text, { tabStops: price, ...rest })).lineTexts;
}

const first = (runs: readonly TextRun[]): number => Math.round(runs[0]?.x ?? 0);

t.test('a field starts, has its middle or ends at the next stop', (t) => {
  const tabStops: TabStops = [{ at: 170, align: 'end' }, { at: 50 }, { at: 110, align: 'center' }];
  const { a, b, c, d } = edges('a\tb\tc\td', { tabStops });
  t.equal(a?.[0], 0);
  t.equal(b?.[0], 50);
  t.equal(Math.round(((c?.[0] ?? 0) + (c?.[1] ?? 0)) / 2), 110);
  t.equal(d?.[1], 170, 'stops need no order');
  const { next: [left = 0, right = 0] = [] } = edges('a\t\tnext', { tabStops });
  t.ok(Math.abs((left + right) / 2 - 110) <= 1, 'an empty field takes its stop');
  t.end();
});

t.test('a tab needs a space, and is an em wide after the last stop', (t) => {
  const tabStops = [{ at: 40 }, { at: 60 }];
  const { Amanda = [], b = [] } = edges('Amanda\tb', { tabStops });
  t.equal((b[0] ?? 0) - (Amanda[1] ?? 0), 20, 'after both stops');
  t.equal(edges('Amy\tb', { tabStops })['b']?.[0], 60, 'the first stop is too near');
  const { long = [], next = [] } = edges('long\tnext', { tabStops: [{ at: 70, align: 'end' }] });
  t.equal((next[0] ?? 0) - (long[1] ?? 0), 5, 'a field too wide for its stop follows a space');
  t.end();
});

t.test('without stops a tab is four spaces', (t) => {
  t.same(linesOf('Tea\t3', { tabStops: [] }), ['Tea    3']);
  t.same(linesOf('Tea\t3'), ['Tea\t3']);
  t.end();
});

t.test('a line ends before a tab, and its field keeps its stop in the next line', (t) => {
  t.same(linesOf('Cappuccino and some\t12.00'), ['Cappuccino and', 'some\t12.00']);
  t.same(linesOf('Cappuccino and one\t12.00'), ['Cappuccino and one', '\t12.00']);
  t.equal(edges('Cappuccino and one\t12.00')['12.00']?.[1], 200);
  t.same(linesOf('Tea \t'), ['Tea'], 'a tab at the end has no width');
  t.end();
});

t.test('an end beyond the box is the edge of the box', (t) => {
  const tabStops: TabStops = [{ at: 16_384, align: 'end' }];
  t.equal(edges('Tea\t3', { tabStops })['3']?.[1], 200);
  t.equal(edges('Tea\t3', { tabStops, width: 90 })['3']?.[1], 90);
  const linePill = { fill: '#ff0', paddingX: 8 };
  t.equal(edges('Tea\t3', { tabStops, linePill })['3']?.[1], 192, 'less the ends of a pill');
  t.end();
});

t.test('lines with tabs start at one edge, whatever the alignment', (t) => {
  for (const align of ['left', 'center', 'right', 'justify', 'end'] as const) {
    const { Tea, 3: three } = edges('Tea\t3', { align });
    t.same([Tea?.[0], three?.[1]], [0, 200], align);
  }
  const { runs } = paintedText(layoutLayer(textLayer('one', { align: 'right', tabStops: price })));
  t.not(first(runs), 0, 'a text without a tab is aligned');
  t.end();
});

t.test('stops of text that runs from right to left are mirrored', (t) => {
  const { תה: tea, 3: three } = edges('תה\t3');
  t.equal(tea?.[1], 200);
  t.equal(three?.[0], 0, 'the end is the left edge');
  const tabStops = [{ at: 50 }];
  t.equal(edges('תה\tקפה', { tabStops })['קפה']?.[1], 150);
  t.equal(edges('a\tb', { tabStops, direction: 'rtl' })['b']?.[1], 150);
  t.equal(edges('a\tקפה', { tabStops })['קפה']?.[0], 50, 'the paragraph decides, not the field');
  t.end();
});

t.test('letters shrink, and stops stay', (t) => {
  const text = 'Tea\t3.50\nCoffee\t12.00\nJuice\t9.90';
  const layout = layoutLayer(textLayer(text, { tabStops: price, height: 40, minSize: 4 }));
  t.ok(layout.fontSize < 14 && layout.lines === 3, `${layout.fontSize} px`);
  const { runs } = paintedText(layout);
  const ends = runs.filter((_, index) => index % 2 === 1).map((run) => run.x + run.width);
  for (const end of ends) t.ok(Math.abs(end - 200) < 0.01);
  t.end();
});

t.test('spans, values with tabs and emoji have fields of their own', (t) => {
  const spans = [
    { text: 'Tea ', fontWeight: 700 },
    { text: '🎉\t', underline: true },
    { text: '3', fill: '#f00' },
    { text: '.50' },
  ];
  const { text: _, ...layer } = textLayer('', { tabStops: price });
  const { runs, lines } = paintedText(layoutLayer({ ...layer, spans }));
  t.equal(Math.round((runs.at(-1)?.x ?? 0) + (runs.at(-1)?.width ?? 0)), 200);
  const [rule] = lines;
  const right = (rule?.rect.x ?? 0) + (rule?.rect.width ?? 0);
  t.equal(Math.round(right), Math.round(runs.at(-2)?.x ?? 0), 'an underline spans the tab');
  t.end();
});

t.test('an ellipsis cuts the last field, and a text without wrapping too', (t) => {
  const tabStops: TabStops = [{ at: 100 }];
  const rest = { tabStops, height: 24, overflow: 'ellipsis' } as const;
  const cut = layoutLayer(textLayer('Tea\tEarl Grey with milk', rest));
  t.match(cut.lineTexts[0], /^Tea\tEarl.*…$/);
  const { runs } = paintedText(cut);
  t.ok(runs.every((run) => run.x + run.width <= 200.01));
  const wide = layoutLayer(textLayer('Tea\tEarl Grey with milk', { ...rest, wrap: false }));
  t.same(wide.lineTexts, cut.lineTexts);
  t.end();
});

t.test('a text that hugs is as wide as its stops', (t) => {
  const layers = [{ ...textLayer('Tea\t3.50', { tabStops: [{ at: 140, align: 'end' }] }) }];
  const hugging = layers.map((layer) => ({ ...layer, width: 'hug', height: 'hug' }) as const);
  const { displayList } = layoutScene({ ...textScene(), layers: hugging }, new Map());
  t.same(displayList.items[0]?.box, { x: 0, y: 0, width: 140, height: 24 });
  t.end();
});

t.test('the text of a path has no columns', (t) => {
  const { content } = layoutLayer(textLayer('a\tb', { tabStops: price, path: 'M 0 50 H 190' }));
  if (content.kind !== 'path-text') throw new TypeError('expected text on a path');
  t.ok(content.width < 60, `${content.width} px`);
  t.end();
});
