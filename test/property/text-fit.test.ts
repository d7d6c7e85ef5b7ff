import fc from 'fast-check';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { layoutLayer, paintedText, textLayer } from '../helpers/text.ts';
import { anyText, lineRules } from './text-arbitrary.ts';

const side = fc.integer({ min: 10, max: 300 });
/** Of a box and of a larger one. */
const sides = fc
  .tuple(side, fc.integer({ min: 0, max: 100 }))
  .map(([small, more]) => [small, small + more] as const);
/** What a layer says of its lines. */
const paragraphRules = fc.record({
  tabStops: fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 400 }),
      align: fc.constantFrom('start', 'center', 'end' as const),
    }),
    { maxLength: 3 },
  ),
  paragraphSpacing: fc.constantFrom(0, 9),
  firstBaseline: fc.constantFrom('ink', 'font' as const),
});
const rules = fc
  .tuple(lineRules, paragraphRules)
  .map(([lines, paragraphs]) => ({ ...lines, ...paragraphs }));

t.test('a larger box never gives smaller letters', async () => {
  fc.assert(
    fc.property(anyText(50), sides, sides, rules, (text, widths, heights, ruled) => {
      const sizeIn = (size: 0 | 1): number => {
        const box = { width: widths[size], height: heights[size] };
        // The top of the canvas is far: where it would cut high letters, a line becomes smaller.
        const rest = { ...ruled, ...box, y: 100, fontSize: 40, minSize: 4 };
        return layoutLayer(textLayer(text, rest)).fontSize;
      };
      return sizeIn(1) >= sizeIn(0);
    }),
    { numRuns: extent(30, 150) },
  );
});

/** Design pixels by which sums of advances may differ. */
const tolerance = 0.05;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

t.test('shrunk and cut text keeps inside its box', async () => {
  const overflow = fc.constantFrom('shrink', 'ellipsis' as const);
  const align = fc.constantFrom('start', 'right', 'center', 'justify' as const);
  fc.assert(
    fc.property(anyText(60), side, overflow, align, rules, (text, wider, over, aligned, ruled) => {
      const width = wider + 30;
      const look = { overflow: over, align: aligned, minSize: 4 };
      const rest = { ...ruled, ...look, width, height: 90 };
      const { runs } = paintedText(layoutLayer(textLayer(text, rest)));
      const lines = Map.groupBy(runs, ({ y }) => y);
      return [...lines].every(([y, line]) => {
        const left = Math.min(...line.map(({ x }) => x));
        // The space after a line's last letter hangs over the edge.
        const right = Math.max(...line.map((run) => run.x + run.width - run.font.letterSpacing));
        // The blank half of a mark that begins a line, at 20 px.
        const blank = ruled.punctuationTrim === 'start' ? 10 : 0;
        const isInside = left >= -tolerance - blank && right <= width + tolerance;
        const shown = line.map((run) => run.text).join('');
        // A single grapheme may be wider than the box.
        return y <= 90 && (isInside || [...graphemes.segment(shown)].length === 1);
      });
    }),
    { numRuns: extent(40, 200) },
  );
});
