import { templateLimits } from '#language/limits/template-limits.ts';
import { layerTextMax, textUs, textWeight, unitsOf } from '#language/limits/text-limit.ts';
import type { TextLayer } from '#language/schema/text.ts';
import t from 'tap';

const aText = (look: Record<string, unknown> = {}): TextLayer =>
  ({ type: 'text', text: '', ...look }) as TextLayer;
const usOf = (text: string, look?: Record<string, unknown>): number =>
  textUs(text, textWeight(aText(look)));

t.test('a layer draws as many characters whatever its look', async (t) => {
  for (const look of [{}, { letterSpacing: 1 }, { letterSpacing: 1, balance: true }]) {
    t.equal(layerTextMax(aText(look)), templateLimits.layerCodePointsMax);
    t.equal(layerTextMax(aText({ path: 'M0 0H9', ...look })), templateLimits.pathCodePointsMax);
  }
});

t.test('the units of code points never part one', async (t) => {
  const units = [0, 2, 3, 4, 9].map((codePoints) => unitsOf('a漢😀b', codePoints));
  t.same(units, [0, 2, 4, 5, 5]);
});

t.test('spaces between letters and balanced lines make other scripts more expensive', async (t) => {
  const han = '漢'.repeat(100);
  const [plain, spaced] = [usOf(han), usOf(han, { letterSpacing: 1 })];
  t.equal(spaced, 2 * plain);
  t.ok(usOf(han, { letterSpacing: 1, balance: true }) > spaced);
  t.equal(usOf(han, { spans: [{ text: '', letterSpacing: 1 }] }), spaced, 'those of a span too');
  t.ok(usOf('a'.repeat(100)) < usOf(han));
});

t.test('letters of an alphabet count as others near others', async (t) => {
  t.equal(usOf('a漢'.repeat(50)), usOf(`a${'漢'.repeat(99)}`));
  t.ok(usOf(`漢${'a'.repeat(99)}`) < usOf('漢'.repeat(100)));
});
