import { templateLimits } from '#language/limits/template-limits.ts';
import { layerTextMax, textUs, textWeight, unitsOf } from '#language/limits/text-limit.ts';
import type { TextLayer } from '#language/schema/text.ts';
import t from 'tap';

const aText = (look: Record<string, unknown> = {}): TextLayer =>
  ({ type: 'text', text: '', ...look }) as TextLayer;
const usOf = (text: string, look?: Record<string, unknown>): number =>
  textUs(text, textWeight(aText(look)));

t.test('a layer draws as many characters whatever its look', (t) => {
  for (const look of [{}, { letterSpacing: 1 }, { letterSpacing: 1, balance: true }]) {
    t.equal(layerTextMax(aText(look)), templateLimits.layerCodePointsMax);
    t.equal(layerTextMax(aText({ path: 'M0 0H9', ...look })), templateLimits.pathCodePointsMax);
  }
  t.end();
});

t.test('the units of code points never part one', (t) => {
  t.equal(unitsOf('a漢😀b', 0), 0);
  t.equal(unitsOf('a漢😀b', 2), 2);
  t.equal(unitsOf('a漢😀b', 3), 4);
  t.equal(unitsOf('a漢😀b', 4), 5);
  t.equal(unitsOf('a漢😀b', 9), 5);
  t.end();
});

t.test('spaces between letters and balanced lines make other scripts more expensive', (t) => {
  const han = '漢'.repeat(100);
  const costs = [{}, { letterSpacing: 1 }, { letterSpacing: 1, balance: true }].map((look) =>
    usOf(han, look),
  );
  t.ok(
    costs[0] !== undefined && costs[1] === 2 * costs[0] && (costs[2] ?? 0) > costs[1],
    costs.join(),
  );
  t.equal(usOf(han, { spans: [{ text: '', letterSpacing: 1 }] }), costs[1], 'those of a span too');
  t.ok(usOf('a'.repeat(100)) < usOf(han));
  t.end();
});

t.test('letters of an alphabet count as others near others', (t) => {
  t.equal(usOf('a漢'.repeat(50)), usOf(`a${'漢'.repeat(99)}`));
  t.ok(usOf(`漢${'a'.repeat(99)}`) < usOf('漢'.repeat(100)));
  t.end();
});
