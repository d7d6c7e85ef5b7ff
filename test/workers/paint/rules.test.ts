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

t.test('a rule has no grey rows or columns when its text is turned by quarters', async (t) => {
  // A line through the middle of the image crosses the rule between its two words.
  const head = { format: 1, name: 'turned', width: 80, height: 80, background: '#ffffff' };
  const box = { x: 5, y: 5, width: 70, height: 70, verticalAlign: 'middle', align: 'center' };
  const text = { ...box, id: 'text', type: 'text', text: 'a b', wordSpacing: 20, fontSize: 23 };
  for (const rotation of [90, 180, 270, -90, -180]) {
    for (const y of [5, 5.18, 5.5]) {
      const layer = { ...text, y, x: y, strike: true, rotation };
      const template = validTemplate({ ...head, variables: [], layers: [layer] });
      const { data } = await decodePixels((await renderTemplate(template)).bytes);
      const isColumn = Math.abs(rotation) % 180 === 0;
      const line = Array.from({ length: 80 }, (_, index) => {
        const [row, column] = isColumn ? [index, 40] : [40, index];
        return data[(row * 80 + column) * 4];
      });
      t.same(
        line.filter((value) => value !== ground),
        [0],
        `${rotation} at ${y}`,
      );
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
