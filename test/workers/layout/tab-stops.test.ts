/** Tab stops: where fields stand, where lines end, and what a box holds of them. */
import t from 'tap';
import type { TextLayer } from '#language/schema/text.ts';
import type { TextRun } from '../../../workers/display-list.ts';
import { layoutLayer, paintedText, textLayer } from '../../helpers/text.ts';

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

t.test('a tab needs a space, and is an em wide after the last stop', async (t) => {
  const tabStops = [{ at: 40 }, { at: 60 }];
  const { Amanda = [], b = [] } = edges('Amanda\tb', { tabStops });
  t.equal((b[0] ?? 0) - (Amanda[1] ?? 0), 20, 'after both stops');
  t.equal(edges('Amy\tb', { tabStops })['b']?.[0], 60, 'the first stop is too near');
  const { long = [], next = [] } = edges('long\tnext', { tabStops: [{ at: 70, align: 'end' }] });
  t.equal((next[0] ?? 0) - (long[1] ?? 0), 5, 'a field too wide for its stop follows a space');
});

t.test('a line ends before a tab, and its field keeps its stop in the next line', async (t) => {
  t.same(linesOf('Cappuccino and some\t12.00'), ['Cappuccino and', 'some\t12.00']);
  t.same(linesOf('Cappuccino and one\t12.00'), ['Cappuccino and one', '\t12.00']);
  t.equal(edges('Cappuccino and one\t12.00')['12.00']?.[1], 200);
  t.same(linesOf('Tea \t'), ['Tea'], 'a tab at the end has no width');
});

t.test('an end beyond the box is the edge of the box', async (t) => {
  const tabStops: TabStops = [{ at: 16_384, align: 'end' }];
  t.equal(edges('Tea\t3', { tabStops })['3']?.[1], 200);
  t.equal(edges('Tea\t3', { tabStops, width: 90 })['3']?.[1], 90);
  const linePill = { fill: '#ff0', paddingX: 8 };
  t.equal(edges('Tea\t3', { tabStops, linePill })['3']?.[1], 192, 'less the ends of a pill');
});

t.test('an end beyond the box keeps its turn after a start', async (t) => {
  const tabStops: TabStops = [{ at: 300, align: 'end' }, { at: 250 }];
  const box = { tabStops, height: 30, fontSize: 20, minSize: 4, maxLines: 1 };
  const sizeAt = (width: number): number =>
    layoutLayer(textLayer('a\tb', { ...box, width, overflow: 'shrink' })).fontSize;
  t.equal(edges('a\tb\tc', { tabStops, width: 400 })['b']?.[0], 250);
  t.ok(sizeAt(200) <= sizeAt(255), 'a narrower box does not hold larger letters');
  t.equal(sizeAt(300), 20);
});

t.test('lines with tabs start at one edge, whatever the alignment', async (t) => {
  for (const align of ['left', 'center', 'right', 'justify', 'end'] as const) {
    const { Tea, 3: three } = edges('Tea\t3', { align });
    t.same([Tea?.[0], three?.[1]], [0, 200], align);
  }
  const { runs } = paintedText(layoutLayer(textLayer('one', { align: 'right', tabStops: price })));
  t.not(first(runs), 0, 'a text without a tab is aligned');
});

t.test('the text of a path has no columns', async (t) => {
  const { content } = layoutLayer(textLayer('a\tb', { tabStops: price, path: 'M 0 50 H 190' }));
  if (content.kind !== 'path-text') throw new TypeError('expected text on a path');
  t.ok(content.width < 60, `${content.width} px`);
});
