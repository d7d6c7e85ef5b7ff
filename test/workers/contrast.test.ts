/** The contrast of letters with what is behind them, wherever a text stands. */
import sharp from 'sharp';
import t, { type Test } from 'tap';
import type { SourceImage } from '#wire/render-job.ts';
import { aTemplate } from '../fixtures/template-documents.ts';
import { drawnPixels, renderTemplate, sourceImage, validTemplate } from '../helpers/render.ts';

const canvas = { width: 200, background: '#ffffff' };
const documentOf = (layers: unknown[]) => aTemplate({ ...canvas, layers });
const at = (x: number, y: number, width: number, height: number): object => {
  return { x, y, width, height };
};
const text = { type: 'text', ...at(0, 0, 200, 100), fontFamily: 'Inter', fontSize: 20 };
const black = { type: 'rect', fill: '#000000' };
const group = { type: 'group', ...at(0, 0, 100, 50) };

/** The report of a drawing, the contrasts of its texts by their ids, and the ids of those whose letters are lost. */
async function contrastsOf(layers: unknown[], images: Record<string, SourceImage> = {}) {
  const template = validTemplate(documentOf(layers));
  const { report = [], warnings } = await renderTemplate(template, { images, wantsReport: true });
  const found = report.map((layer): [string, number] => [layer.id, layer.text?.contrast ?? NaN]);
  const lost = warnings.map(({ code, layer }) => (code === 'LOW_CONTRAST' ? layer : code));
  return { report, contrasts: Object.fromEntries(found), lost };
}

/** Claims that letters have all the contrast that there is, or none. */
function checkContrasts(
  t: Test,
  contrasts: Record<string, number>,
  clear: string[],
  none: string[] = [],
): void {
  for (const id of clear) t.ok((contrasts[id] ?? 0) > 20, `${id}: ${contrasts[id]}`);
  for (const id of none) t.ok((contrasts[id] ?? 9) < 1.1, `${id}: ${contrasts[id]}`);
}

t.test('contrast is that with what lies below the letters', async (t) => {
  const white = { ...text, fill: '#ffffff', text: 'read me' };
  const layers = [
    { ...white, id: 'lost', height: 40 },
    { ...black, id: 'ground', ...at(0, 50, 200, 50) },
    { ...white, id: 'found', y: 50, height: 40 },
  ];
  const { contrasts, lost, report } = await contrastsOf(layers);
  checkContrasts(t, contrasts, ['found'], ['lost']);
  t.same(lost, ['lost']);
  t.equal(report[0]?.text?.contrastMin, 4.5, 'what letters of this size need');
  t.equal(report[2]?.text?.contrastMin, undefined);
});

t.test('contrast is measured along a path, letter by letter', async (t) => {
  const ground = { ...black, id: 'ground', ...at(0, 0, 200, 60) };
  const short = { ...text, id: 'path', path: 'M 60 40 L 140 40', text: 'inside', fill: '#ffffff' };
  const arch = { path: 'M 0 90 Q 100 -60 200 90', text: 'along the arch of a bridge' };
  const contrastOf = async (more: object): Promise<number> => {
    const { contrasts } = await contrastsOf([ground, { ...short, ...more }]);
    return contrasts['path'] ?? NaN;
  };
  const { lost } = await contrastsOf([ground, { ...short, ...arch }]);
  t.same(lost, ['path'], 'its ends are on white');
  t.ok((await contrastOf({})) > 20);
  t.ok((await contrastOf({ fill: '#000000' })) < 1.1);
  const faint = await contrastOf({ filter: { brightness: 0.1 } });
  t.ok(faint < 2, 'an effect changes the colour of its letters');
  const turned = await contrastOf({ y: 20, rotation: 180 });
  t.ok(turned < 1.1, 'it is turned with its layer, onto white');
});

t.test('contrast is measured in groups and stacks, where they stand', async (t) => {
  const white = { ...text, fill: '#ffffff', text: 'read me', width: 80, height: 20 };
  const stacked = { ...white, x: undefined, y: undefined };
  const { contrasts, lost } = await contrastsOf([
    { ...black, id: 'band', ...at(150, 0, 50, 200) },
    {
      ...group,
      id: 'group',
      height: 40,
      layers: [
        { ...black, id: 'ground', ...at(0, 0, 100, 40) },
        { ...white, id: 'in-group', x: 5, y: 5 },
      ],
    },
    {
      ...group,
      ...at(0, 50, 180, 30),
      id: 'stack',
      type: 'stack',
      direction: 'row',
      layers: [
        { ...stacked, id: 'on-paper', width: 150 },
        { ...stacked, id: 'on-band', width: 30, text: 'on' },
      ],
    },
    // Half a turn takes the text from the paper onto the band.
    {
      ...group,
      ...at(75, 75, 100, 25),
      id: 'turned',
      rotation: 180,
      layers: [{ ...white, id: 'in-turned', width: 20, text: 'hi' }],
    },
  ]);
  checkContrasts(t, contrasts, ['in-group', 'on-band', 'in-turned'], ['on-paper']);
  t.same(lost, ['on-paper']);
});

t.test('contrast is that with letters behind a text, and not with what covers it', async (t) => {
  const words = { ...text, fill: '#000000', width: 190, height: 25 };
  const { contrasts } = await contrastsOf([
    { ...words, id: 'covered', text: 'read me' },
    { ...black, id: 'cover', ...at(0, 0, 200, 30), fill: '#00000080' },
    { ...words, id: 'behind', y: 35, text: '█'.repeat(12) },
    { ...words, id: 'before', y: 35, text: 'lost' },
    { ...words, id: 'free', y: 70, text: 'free' },
  ]);
  checkContrasts(t, contrasts, ['covered', 'free'], ['before']);
});

t.test('effects change the colour of letters and of what is behind them', async (t) => {
  const inner = { ...text, id: 'inner', fill: '#000000', text: 'Hello', width: 90, height: 30 };
  const white = { ...inner, fill: '#ffffff' };
  const paper = { ...black, id: 'paper', ...at(0, 0, 100, 50) };
  const cases: [effect: object, layers: object[], expected: number][] = [
    [{ opacity: 0.25 }, [inner], 1.85],
    [{ opacity: 0.7 }, [inner], 8.45],
    [{ opacity: 0.5 }, [paper, white], 3.98],
    [{ filter: { invert: 1 } }, [inner], 1],
    [{ filter: { invert: 1 } }, [paper, white], 21],
    [{ blendMode: 'screen' }, [inner], 1],
    [{}, [{ ...inner, blendMode: 'screen' }], 1],
    [{ blendMode: 'multiply' }, [inner], 21],
  ];
  for (const [effect, layers, expected] of cases) {
    const { contrasts, lost } = await contrastsOf([{ ...group, id: 'group', ...effect, layers }]);
    const { inner: contrast = NaN } = contrasts;
    const name = `${JSON.stringify(effect)}: ${contrast}, expected ${expected}`;
    // A level or two of a channel.
    t.ok(Math.abs(contrast / expected - 1) < 0.05, name);
    t.same(lost, contrast < 4.5 ? ['inner'] : [], name);
  }
});

/** Relative luminance of a pixel (WCAG 2.2). */
function lightAt(pixels: Uint8Array, x: number, y: number): number {
  const start = (Math.floor(y) * canvas.width + Math.floor(x)) * 4;
  const [red = 0, green = 0, blue = 0] = [...pixels.subarray(start, start + 3)].map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

t.test('over a gradient and a shaded photograph, contrast is that of the pixels', async (t) => {
  const create = { width: 200, height: 100, channels: 3, background: '#f0f0f0' } as const;
  const photo = await sharp({ create }).png().toBuffer();
  const src = 'https://images.example/bright.png';
  const images = { [src]: await sourceImage(photo) };
  const box = at(0, 0, 200, 100);
  const bright = { ...box, id: 'photo', type: 'image', src };
  const stops = ['#000000', '#ffffff'].map((color, offset) => ({ offset, color }));
  const gradient = { gradient: 'linear', angle: 90, stops };
  const shade = { ...box, id: 'shade', type: 'rect', fill: '#00000099' };
  const fading = {
    ...gradient,
    stops: ['#000000cc', '#00000000'].map((color, offset) => ({ offset, color })),
  };
  const grounds = {
    photo: [bright],
    gradient: [{ ...box, id: 'ground', type: 'rect', fill: gradient }],
    shade: [bright, shade],
    fading: [bright, { ...shade, fill: fading }],
    faint: [bright, { ...shade, fill: '#000000', opacity: 0.6 }],
  };
  for (const [name, layers] of Object.entries(grounds)) {
    const { data: pixels } = await drawnPixels(documentOf(layers), { images });
    for (const x of [5, 120]) {
      const words = { ...text, id: 'words', x, width: 70, fill: '#ffffff', text: '████' };
      const { report, contrasts, lost } = await contrastsOf([...layers, words], images);
      const line = report.at(-1)?.text?.lines[0];
      const contrast = contrasts['words'] ?? 0;
      // The ground gets brighter to the right, and a tenth of the letters may have less contrast.
      const end = Math.floor((line?.x ?? 0) + (line?.width ?? 0) * 0.9);
      const measured = 1.05 / (lightAt(pixels, end, (line?.y ?? 0) - 5) + 0.05);
      const label = `${name} at ${x}: ${contrast}, ${measured} seen`;
      t.ok(Math.abs(contrast / measured - 1) < 0.08, label);
      t.same(lost, contrast < 4.5 ? ['words'] : [], name);
    }
  }
});
