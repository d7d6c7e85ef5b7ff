import fc from 'fast-check';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { layoutLayer, paintedText, textLayer } from '../helpers/text.ts';
import { renderTemplate, validTemplate } from '../helpers/render.ts';
import { anyText, lineRules } from './text-arbitrary.ts';

const side = fc.integer({ min: 10, max: 300 });
const more = fc.integer({ min: 0, max: 100 });
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

t.test('a larger box never gives smaller letters', (t) => {
  fc.assert(
    fc.property(
      anyText(50),
      side,
      side,
      more,
      more,
      rules,
      (text, width, height, wider, higher, ruled) => {
        const rest = { ...ruled, fontSize: 40, minSize: 4 };
        const small = layoutLayer(textLayer(text, { ...rest, width, height }));
        const large = layoutLayer(
          textLayer(text, { ...rest, width: width + wider, height: height + higher }),
        );
        return large.fontSize >= small.fontSize;
      },
    ),
    { numRuns: extent(30, 150) },
  );
  t.end();
});

/** Design pixels by which sums of advances may differ. */
const tolerance = 0.05;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

t.test('shrunk and cut text keeps inside its box', (t) => {
  const overflow = fc.constantFrom('shrink', 'ellipsis' as const);
  const align = fc.constantFrom('start', 'right', 'center', 'justify' as const);
  fc.assert(
    fc.property(anyText(60), side, overflow, align, rules, (text, wider, over, aligned, ruled) => {
      const width = wider + 30;
      const rest = {
        ...ruled,
        width,
        height: 90,
        overflow: over,
        align: aligned,
        minSize: 4,
      } as const;
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
  t.end();
});

t.test('every valid text layer renders, unless it costs too much', async (t) => {
  const look = fc.record(
    {
      fontFamily: fc.constantFrom('Inter', 'Caveat', 'Nope', ['Playfair Display', 'Space Mono']),
      fontSize: fc.integer({ min: 1, max: 120 }),
      fontWeight: fc.integer({ min: 1, max: 1000 }),
      fontStyle: fc.constantFrom('normal', 'italic'),
      letterSpacing: fc.integer({ min: -100, max: 400 }),
      wordSpacing: fc.integer({ min: -100, max: 400 }),
      fontFeatures: fc.constantFrom({ tnum: 1 }, { liga: 0, smcp: 1 }),
      fontVariations: fc.constantFrom({ wght: 650 }, { zzzz: -1 }),
      underline: fc.boolean(),
      strike: fc.boolean(),
      background: fc.constantFrom('#ff0', '#12345678'),
      transform: fc.constantFrom('none', 'uppercase', 'lowercase', 'capitalize'),
    },
    { requiredKeys: [] },
  );
  const layer = fc.record(
    {
      lineHeight: fc.constantFrom(0.5, 1, 4),
      align: fc.constantFrom('left', 'center', 'right', 'justify', 'start', 'end'),
      verticalAlign: fc.constantFrom('top', 'middle', 'bottom'),
      direction: fc.constantFrom('auto', 'ltr', 'rtl'),
      overflow: fc.constantFrom('shrink', 'grow', 'ellipsis', 'clip', 'visible'),
      minSize: fc.integer({ min: 1, max: 200 }),
      maxLines: fc.integer({ min: 1, max: 200 }),
      balance: fc.boolean(),
      tabStops: fc.constantFrom(
        [{ at: 40, align: 'end' }],
        [{ at: 0 }, { at: 9, align: 'center' }],
      ),
      paragraphSpacing: fc.constantFrom(0, 9, 2000),
      firstBaseline: fc.constantFrom('ink', 'font'),
      hyphenate: fc.boolean(),
      lineBreak: fc.constantFrom('strict', 'normal'),
      punctuationTrim: fc.constantFrom('none', 'adjacent', 'start'),
      stroke: fc.record({ color: fc.constant('#f00'), width: fc.integer({ min: 0, max: 20 }) }),
      linePill: fc.record({ fill: fc.constant('#0f0'), paddingX: fc.integer({ min: 0, max: 20 }) }),
      path: fc.constantFrom('M 0 50 L 90 50', 'M 5 90 A 40 40 0 0 1 90 90', '', 'M 0 0'),
    },
    { requiredKeys: [] },
  );
  const span = fc.tuple(anyText(12), look).map(([text, rest]) => ({ ...rest, text }));
  const size = fc.integer({ min: 0, max: 120 });
  const spans = fc.array(span, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(layer, look, spans, size, size, async (a, b, parts, width, height) => {
      const text = { id: 't', type: 'text', x: 0, y: 0, width, height, ...a, ...b, spans: parts };
      const document = {
        format: 1,
        name: 'p',
        width: 96,
        height: 96,
        variables: [],
        layers: [text],
      };
      const { bytes } = await renderTemplate(validTemplate(document)).catch((error: unknown) => {
        // A layer that costs too much is refused; the law of costs has a test of its own.
        fc.pre(!(error instanceof Error && error.name === 'TooExpensiveError'));
        throw error;
      });
      if (bytes.length === 0) throw new Error('no bytes');
    }),
    { numRuns: extent(20, 100) },
  );
  t.end();
});
