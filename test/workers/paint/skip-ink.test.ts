/** Underlines leave gaps where letters cross them: in layout, and in pixels of many fonts and scripts. */
import t from 'tap';
import type { TextLayer } from '#language/schema/text.ts';
import { decodePixels, renderTemplate, validTemplate } from '../../helpers/render.ts';
import { layoutLayer, paintedText, textLayer } from '../../helpers/text.ts';

/** Left and right edges of the underlines, in whole design pixels. */
function rules(text: string, rest: Partial<TextLayer> = {}): number[][] {
  const layer = textLayer(text, { width: 900, fontSize: 50, underline: true, ...rest });
  const { lines } = paintedText(layoutLayer(layer));
  return lines.map(({ rect }) => [Math.round(rect.x), Math.round(rect.x + rect.width)]);
}

t.test('an underline has a gap for each letter that crosses it', (t) => {
  t.equal(rules('Amanda').length, 1, 'none reaches it');
  t.equal(rules('a p a g a').length, 3);
  t.equal(rules('gggg', { letterSpacing: -4 }).length, 0, 'no dots are left between letters');
  t.ok(rules('gggg', { letterSpacing: 30 }).length >= 3);
  const [first = [], second = []] = rules('aaaaapaaaaa');
  const stroked = rules('aaaaapaaaaa', { stroke: { color: '#f00', width: 5 } });
  t.ok((first[1] ?? 0) < (second[0] ?? 0));
  t.same(stroked, [
    [first[0], (first[1] ?? 0) - 5],
    [(second[0] ?? 0) + 5, second[1]],
  ]);
  t.end();
});

t.test('strikes, ideographs, kana, Hangul and emoji have no gaps', (t) => {
  t.equal(rules('gap', { underline: false, strike: true }).length, 1);
  for (const text of ['漢字、ｇ', 'ゃゅょっ', '한글을']) t.equal(rules(text).length, 1, text);
  t.equal(rules('🎉🎁').length, 1);
  t.equal(rules('man 🎉').length, 1, 'nor a seam between letters and emoji');
  t.end();
});

const head = { format: 1, name: 'ink', width: 360, height: 120, background: '#ffffff' };

async function render(layer: Record<string, unknown>, scale: 1 | 2): Promise<Uint8Array[]> {
  const images = [{}, { underline: true }].map(async (rule) => {
    const layers = [{ ...layer, ...rule }];
    const template = validTemplate({ ...head, variables: [], layers });
    return (await decodePixels((await renderTemplate(template, { scale })).bytes)).data;
  });
  return Promise.all(images);
}

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
      const layer = { id: 't', type: 'text', x: 10.3, y: 10.4, width: 340, height: 100 };
      const all = { ...layer, fontSize: 34, overflow: 'visible', ...look };
      const [plain = new Uint8Array(), ruled = new Uint8Array()] = await render(all, scale);
      const width = head.width * scale;
      const ink = (data: Uint8Array, pixel: number): number => 255 - (data[pixel * 4] ?? 0);
      let letters = 0;
      let touched = 0;
      for (let row = 0; row < head.height * scale; row += 1) {
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
