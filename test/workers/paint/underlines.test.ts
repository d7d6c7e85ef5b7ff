/** Underlines and strikes fill whole rows of device pixels, wherever their text stands. */
import t from 'tap';
import { aLayer, aTemplate } from '../../fixtures/template-documents.ts';
import { drawnPixels } from '../../helpers/render.ts';

const ground = 255;

/** The red channel of each row, in a column of the image where only the rule has ink. */
async function columnOf(layer: Record<string, unknown>, scale: 1 | 2 | 3): Promise<number[]> {
  // Between two words that are far apart.
  const text = { x: 5, width: 70, height: 40, text: 'a b', wordSpacing: 40, ...layer };
  const layers = [aLayer('text', text)];
  const document = aTemplate({ width: 80, height: 60, background: '#ffffff', layers });
  const { data, width, height } = await drawnPixels(document, { scale });
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
          const label = `${rule} ${fontSize} px at ${y}, ${scale}`;
          t.same(inked, Array<number>(expected).fill(0), label);
        }
      }
    }
  }
});

t.test('a rule has no grey rows or columns when its text is turned by quarters', async (t) => {
  // A line through the middle of the image crosses the rule between its two words.
  const square = { width: 80, height: 80, background: '#ffffff' };
  const box = { width: 70, height: 70, verticalAlign: 'middle', align: 'center' };
  const text = { ...box, text: 'a b', wordSpacing: 20, fontSize: 23, strike: true };
  for (const rotation of [90, 180, 270, -90, -180]) {
    for (const y of [5, 5.18, 5.5]) {
      const layer = aLayer('text', { ...text, y, x: y, rotation });
      const { data } = await drawnPixels(aTemplate({ ...square, layers: [layer] }));
      const isColumn = Math.abs(rotation) % 180 === 0;
      const line = Array.from({ length: 80 }, (_, index) => {
        const [row, column] = isColumn ? [index, 40] : [40, index];
        return data[(row * 80 + column) * 4];
      });
      const inked = line.filter((value) => value !== ground);
      t.same(inked, [0], `${rotation} at ${y}`);
    }
  }
});

const canvas = { width: 360, height: 120, background: '#ffffff' };

const looks: Record<string, unknown>[] = [
  { text: 'Type gap, jQuery' },
  { text: 'Type gap, jQuery', letterSpacing: 9 },
  { text: 'Type gap, jQuery', fontFamily: 'Caveat' },
  { text: 'Type gap, jQuery', fontFamily: 'Caveat', fontStyle: 'italic' },
  { text: 'Type (gap); jQ', fontFamily: 'Playfair Display', fontStyle: 'italic' },
  { text: 'fi ffj gy', fontFamily: 'Fraunces', fontVariations: { wght: 650 } },
  { text: 'gap jpg and so on', align: 'justify', fontSize: 50 },
  { text: 'gyp\u0323 ọ\u0325 ç', fontFamily: 'Inter' },
  { text: 'محمد وعلي جميل' },
  { text: 'กู่ ญู ปู' },
  { text: 'कृ क्षु हूँ' },
];

t.test('no underline touches a letter that crosses it', async (t) => {
  for (const look of looks) {
    for (const scale of [1, 2] as const) {
      const box = { x: 10.3, y: 10.4, width: 340, height: 100 };
      const draw = async (underline: boolean): Promise<Uint8Array> => {
        const text = { ...box, fontSize: 34, overflow: 'visible', underline, ...look };
        const document = aTemplate({ ...canvas, layers: [aLayer('text', text)] });
        return (await drawnPixels(document, { scale })).data;
      };
      const [plain, ruled] = [await draw(false), await draw(true)];
      const width = canvas.width * scale;
      const ink = (data: Uint8Array, pixel: number): number => 255 - (data[pixel * 4] ?? 0);
      let letters = 0;
      let touched = 0;
      for (let row = 0; row < canvas.height * scale; row += 1) {
        const pixels = Array.from({ length: width }, (_, column) => row * width + column);
        if (!pixels.some((pixel) => ink(plain, pixel) === 0 && ink(ruled, pixel) === 255)) continue;
        for (const pixel of pixels) {
          if (ink(plain, pixel) < 128) continue;
          letters += 1;
          for (const near of [pixel - 1, pixel, pixel + 1]) {
            if (ink(plain, near) !== ink(ruled, near)) touched += 1;
          }
        }
      }
      t.equal(touched, 0, `${JSON.stringify(look)} at ${scale}`);
      t.ok(letters > 0, 'letters cross it');
    }
  }
});
