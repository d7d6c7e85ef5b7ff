import fc from 'fast-check';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { aTemplate } from '../fixtures/template-documents.ts';
import { drawnPixels } from '../helpers/render.ts';
import { layoutLayer, paintedText, textLayer } from '../helpers/text.ts';
import { anyText, towers } from './text-arbitrary.ts';

const fontSize = 20;
/**
 * How far ink may reach over its box, font sizes: six marks stand higher than a line, and some letters lean over their
 * advance.
 */
const tolerance = 1.5;
const side = 320;
const box = { x: 60, y: 100, width: 200, height: 60 };

/** Letters with marks among any other text. */
const text = fc
  .array(fc.oneof(towers(70), anyText(20)), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
const look = fc.record({
  overflow: fc.constantFrom('shrink', 'ellipsis', 'clip', 'grow' as const),
  verticalAlign: fc.constantFrom('top', 'middle', 'bottom' as const),
  align: fc.constantFrom('start', 'center', 'end', 'justify' as const),
  letterSpacing: fc.constantFrom(0, 0, 4),
});

/** The smallest rectangle that holds every pixel that is not white, as its four edges. */
function inkEdges(rgba: Uint8Array): number[] {
  const edges = [side, side, 0, 0];
  for (let index = 0; index < side * side; index += 1) {
    if (rgba.subarray(index * 4, index * 4 + 3).every((value) => value === 255)) continue;
    const x = index % side;
    const y = Math.floor(index / side);
    edges[0] = Math.min(edges[0] ?? 0, x);
    edges[1] = Math.min(edges[1] ?? 0, y);
    edges[2] = Math.max(edges[2] ?? 0, x + 1);
    edges[3] = Math.max(edges[3] ?? 0, y + 1);
  }
  return edges;
}

type Look = typeof look extends fc.Arbitrary<infer Value> ? Value : never;

/** Throws when a text has ink further outside of its box than it may reach. */
async function requireInkInside(words: string, rest: Look): Promise<void> {
  const layer = textLayer(words, { ...box, ...rest, fontSize, minSize: 8 });
  const { box: filled } = paintedText(layoutLayer(layer));
  const canvas = { width: side, height: side, background: '#ffffff' };
  const { data } = await drawnPixels(aTemplate({ ...canvas, layers: [layer] }));
  const [left = 0, top = 0, right = 0, bottom = 0] = inkEdges(data);
  const reach = rest.overflow === 'clip' ? 1 : tolerance * fontSize;
  const inside =
    left >= filled.x - reach &&
    top >= filled.y - reach &&
    right <= filled.x + filled.width + reach &&
    bottom <= filled.y + filled.height + reach;
  if (!inside) throw new Error(`ink ${left},${top} to ${right},${bottom}`);
}

/** Texts that `npm run fuzz` found, as the code points that matter. */
const found: [text: string, look: Look][] = [
  // A zero-width space before an ideograph with marks: the engine drew boxes for the marks.
  [
    'aאぁ가🎉👍🏽\u200b国\u0320\u20dd\u0651\u0330үҿz',
    { overflow: 'shrink', verticalAlign: 'bottom', align: 'end', letterSpacing: 0 },
  ],
];

t.test('the ink of any text keeps inside its box, but for a stated reach', async () => {
  const property = fc.asyncProperty(text, look, requireInkInside);
  await fc.assert(property, { numRuns: extent(20, 100) + found.length, examples: found });
});
