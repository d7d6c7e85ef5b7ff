/** Underlines and strikes fill whole rows of device pixels, wherever their text stands. */
import t from 'tap';
import { decodePixels, renderTemplate, validTemplate } from '../../helpers/render.ts';

const ground = 255;

/** The red channel of each row, in a column of the image where only the rule has ink. */
async function columnOf(layer: Record<string, unknown>, scale: 1 | 2 | 3): Promise<number[]> {
  const head = { format: 1, name: 'rules', width: 80, height: 60, background: '#ffffff' };
  // Between two words that are far apart.
  const text = {
    id: 'text',
    type: 'text',
    x: 5,
    width: 70,
    height: 40,
    text: 'a b',
    wordSpacing: 40,
  };
  const { bytes } = await renderTemplate(
    validTemplate({ ...head, variables: [], layers: [{ ...text, ...layer }] }),
    { scale },
  );
  const { data, width, height } = await decodePixels(bytes);
  return Array.from({ length: height }, (_, row) => data[(row * width + 35 * scale) * 4] ?? 0);
}

t.test('a rule has no grey rows at any offset, size and scale', async (t) => {
  for (const rule of ['underline', 'strike']) {
    for (const fontSize of [8, 16, 23]) {
      for (const y of [5, 5.18, 5.5, 5.73]) {
        for (const scale of [1, 2, 3] as const) {
          const column = await columnOf({ [rule]: true, y, fontSize, fill: '#000000' }, scale);
          const inked = column.filter((value) => value !== ground);
          const expected = Math.max(1, Math.round(0.06 * fontSize * scale));
          t.same(
            inked,
            Array<number>(expected).fill(0),
            `${rule} ${fontSize} px at ${y}, ${scale}`,
          );
        }
      }
    }
  }
});

t.test('the rule of a turned text keeps its slope', async (t) => {
  const column = await columnOf(
    { underline: true, y: 5, fontSize: 16, fill: '#000000', rotation: 20 },
    1,
  );
  t.ok(
    column.some((value) => value > 0 && value < ground),
    'and is anti-aliased',
  );
});
