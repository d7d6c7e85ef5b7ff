import { templateLimits } from '#language/limits/template-limits.ts';
import { createLayerMeter, createTextMeter, layerTextUsMax } from '#language/limits/text-limit.ts';
import type { TextLayer } from '#language/schema/text.ts';
import t from 'tap';

const aText = (look: Record<string, unknown> = {}): TextLayer =>
  ({ type: 'text', text: '', ...look }) as TextLayer;
/** Code points that a layer draws of a text of one character. */
const drawnOf = (character: string, look?: Record<string, unknown>): number =>
  createLayerMeter(aText(look)).take(character.repeat(4000)) / character.length;

t.test('a plain layer draws its whole length in any script', (t) => {
  for (const character of ['a', 'я', '漢', 'ع', '😀']) {
    t.equal(drawnOf(character), templateLimits.layerCodePointsMax, character);
    t.equal(drawnOf(character, { path: 'M0 0H9' }), templateLimits.pathCodePointsMax);
  }
  t.end();
});

t.test('what makes letters dearer shortens the text', (t) => {
  const looks = [{}, { letterSpacing: 1 }, { letterSpacing: 1, balance: true }];
  const lengths = looks.map((look) => drawnOf('漢', look));
  t.same(
    lengths,
    lengths.toSorted((a, b) => b - a),
  );
  t.ok(new Set(lengths).size === 3 && Math.min(...lengths) > 1000, lengths.join());
  t.equal(drawnOf('a', looks[2]), templateLimits.layerCodePointsMax, 'alphabets are not');
  t.ok(drawnOf('漢', { spans: [{ text: '', letterSpacing: 1 }] }) < 1500, 'a span’s counts');
  t.equal(drawnOf('漢', { balance: false, letterSpacing: 0 }), templateLimits.layerCodePointsMax);
  t.end();
});

t.test('letters of an alphabet count as others near others', (t) => {
  const look = { letterSpacing: 1, balance: true };
  const mixed = createLayerMeter(aText(look)).take('a漢'.repeat(2000));
  const words = createLayerMeter(aText(look)).take('some words and a 漢 '.repeat(200));
  t.ok(Math.abs(mixed - drawnOf('漢', look)) <= 1);
  t.ok(words < 1300);
  t.end();
});

t.test('the spans of a layer share its limits, and no code point is parted', (t) => {
  const layer = aText({ letterSpacing: 1 });
  const meter = createLayerMeter(layer);
  const first = meter.take('😀'.repeat(1000));
  t.equal(first, 2000);
  const second = meter.take('😀'.repeat(1000));
  t.equal(second % 2, 0);
  t.equal(first + second, 2 * drawnOf('😀', { letterSpacing: 1 }));
  t.equal(meter.take('漢'), 0);
  t.ok(meter.taken().us <= layerTextUsMax(layer));
  t.end();
});

t.test('a meter without limits counts all', (t) => {
  const meter = createTextMeter({ alphabetUs: 1, otherUs: 2 });
  t.equal(meter.take('ab漢'), 3);
  t.same(meter.taken(), { codePoints: 3, us: 4 });
  t.end();
});
