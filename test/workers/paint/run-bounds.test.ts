/** The bounds of a run hold all the ink that the engine measures. */
import fc from 'fast-check';
import t from 'tap';
import { extent } from '../../helpers/extent.ts';
import { bundledFamilies } from '../../../workers/assets/fonts.ts';
import type { TextRun } from '../../../workers/display-list.ts';
import { fullNames } from '../../../bench/harness/names.ts';
import { layoutLayer, paintedText, textLayer } from '../../helpers/text.ts';

// After the helper, which sets the fonts up before the engine is loaded.
const { Canvas } = await import('skia-canvas');
const { runBounds } = await import('../../../workers/paint/bounds.ts');
const { applyFont } = await import('../../../workers/paint/paint-text.ts');

const ruler = new Canvas(1, 1).getContext('2d');
ruler.textAlign = 'left';

function inkOutside(run: TextRun): number {
  applyFont(ruler, run.font, run.direction);
  const ink = ruler.measureText(run.text);
  const bounds = runBounds(run, 0);
  return Math.max(
    bounds.x - (run.x - ink.actualBoundingBoxLeft),
    run.x + ink.actualBoundingBoxRight - (bounds.x + bounds.width),
    bounds.y - (run.y - ink.actualBoundingBoxAscent),
    run.y + ink.actualBoundingBoxDescent - (bounds.y + bounds.height),
  );
}

const letters = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)),
    fc.constantFrom(...Array.from('ÄÅÇŁØŽğışđþÆŒßΩλώЖщїЙ国あア한ﬁ“”…—')),
    fc.constantFrom('ff', 'ffi', 'fj', 'Th', 'tt', 'Qu', 'gy', '==', '->'),
  ),
  minLength: 1,
  maxLength: 24,
});
const text = fc.oneof(letters, fc.constantFrom(...fullNames));
const look = fc.record({
  fontFamily: fc.constantFrom(...bundledFamilies()),
  fontWeight: fc.constantFrom(300, 400, 700, 900),
  fontStyle: fc.constantFrom('normal', 'italic' as const),
  letterSpacing: fc.constantFrom(0, 0, -2, 6),
});

t.test('no ink of a run is outside of its bounds', async (t) => {
  const numRuns = extent(100, 400);
  let runs = 0;
  const property = fc.property(text, look, (words, rest) => {
    const layer = textLayer(words, { x: 0, y: 0, width: 2000, height: 200, fontSize: 60, ...rest });
    for (const run of paintedText(layoutLayer(layer)).runs) {
      if (run.ink === undefined) continue;
      runs += 1;
      const outside = inkOutside(run);
      if (outside > 0) throw new Error(`${JSON.stringify(run)} has ink ${outside} px outside`);
    }
  });
  fc.assert(property, { numRuns });
  t.ok(runs > numRuns / 4, `${runs} runs have ink from their letters`);
});

t.test('no ink of letters that the engine takes apart or slants is outside', async (t) => {
  const chinese = { fontFamily: 'Noto Sans TC' };
  const slanted = { fontWeight: 900, fontStyle: 'italic' as const };
  for (const [rest, texts] of [
    [chinese, ['Ǻǻ Ǻǻ', 'ǻ ǻ', 'Ǻ王 ǻ', 'Ǟ Ǟ']],
    [slanted, ['司马家豪', 'ＷＷＷ', '／／／']],
  ] as const) {
    for (const words of texts) {
      const layer = textLayer(words, { width: 2000, height: 200, fontSize: 80, ...rest });
      for (const run of paintedText(layoutLayer(layer)).runs) t.ok(inkOutside(run) <= 0, words);
    }
  }
});
