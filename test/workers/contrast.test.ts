/** The contrast of letters with what is behind them, wherever a text stands. */
import sharp from 'sharp';
import t from 'tap';
import { decodePixels, renderTemplate, sourceImage, validTemplate } from '../helpers/render.ts';

const base = {
  format: 1,
  name: 'x',
  width: 200,
  height: 100,
  background: '#ffffff',
  variables: [],
};
const text = {
  type: 'text',
  x: 0,
  y: 0,
  width: 200,
  height: 100,
  fontFamily: 'Inter',
  fontSize: 20,
};

const reportOf = async (layers: unknown[]) => {
  const outcome = await renderTemplate(validTemplate({ ...base, layers }), { wantsReport: true });
  return { layers: outcome.report ?? [], warnings: outcome.warnings };
};

t.test('contrast is that with what lies below the letters, their own pill included', async (t) => {
  const white = { ...text, fill: '#ffffff', text: 'read me' };
  const { layers, warnings } = await reportOf([
    { ...white, id: 'lost', height: 40 },
    { id: 'ground', type: 'rect', x: 0, y: 50, width: 200, height: 50, fill: '#000000' },
    { ...white, id: 'found', y: 50, height: 40 },
  ]);
  t.ok((layers[0]?.text?.contrast ?? 9) < 1.1);
  t.equal(layers[0]?.text?.contrastMin, 4.5, 'what letters of this size need');
  t.ok((layers[2]?.text?.contrast ?? 0) > 20);
  t.equal(layers[2]?.text?.contrastMin, undefined);
  t.same(
    warnings.map(({ code, layer }) => [code, layer]),
    [['LOW_CONTRAST', 'lost']],
  );
});

t.test('over a photograph contrast is that with its pixels behind the letters', async (t) => {
  // Dark on the left, bright on the right.
  const data = Buffer.from([0, 0, 0, 230, 230, 230]);
  const raw = { width: 2, height: 1, channels: 3 as const };
  const photo = sharp(data, { raw }).resize(200, 100, { kernel: 'nearest' });
  const images = {
    'https://images.example/photo.png': await sourceImage(await photo.png().toBuffer()),
  };
  const layers = [
    {
      id: 'photo',
      type: 'image',
      x: 0,
      y: 0,
      width: 200,
      height: 100,
      src: Object.keys(images)[0],
    },
    { ...text, id: 'good', width: 90, fill: '#ffffff', text: 'NAME' },
    { ...text, id: 'lost', x: 110, width: 90, fill: '#ffffff', text: 'SEAT' },
  ];
  const template = validTemplate({ ...base, layers });
  const { report = [], warnings } = await renderTemplate(template, { images, wantsReport: true });
  t.ok((report[1]?.text?.contrast ?? 0) > 20);
  t.same(
    warnings.map(({ code, layer }) => [code, layer]),
    [['LOW_CONTRAST', 'lost']],
  );
});

t.test('contrast is measured along a path, letter by letter', async (t) => {
  const arch = 'M 0 90 Q 100 -60 200 90';
  const onPath = { ...text, text: 'along the arch of a bridge', path: arch };
  const ground = {
    type: 'rect',
    id: 'ground',
    x: 0,
    y: 0,
    width: 200,
    height: 60,
    fill: '#000000',
  };
  const contrastsOf = async (fill: string, more: object = {}): Promise<(number | undefined)[]> => {
    const { layers } = await reportOf([ground, { ...onPath, id: 'arch', fill, ...more }]);
    return layers.map((layer) => layer.text?.contrast);
  };
  const { warnings } = await reportOf([ground, { ...onPath, id: 'arch', fill: '#ffffff' }]);
  t.same(
    warnings.map(({ code, layer }) => [code, layer]),
    [['LOW_CONTRAST', 'arch']],
    'its ends are on white',
  );
  const short = { path: 'M 60 40 L 140 40', text: 'inside' };
  t.ok(((await contrastsOf('#ffffff', short))[1] ?? 0) > 20);
  t.ok(((await contrastsOf('#000000', short))[1] ?? 9) < 1.1);
  const faint = await contrastsOf('#ffffff', { ...short, filter: { brightness: 0.1 } });
  t.ok((faint[1] ?? 9) < 2, 'an effect changes the colour of its letters');
  const turned = await contrastsOf('#ffffff', { ...short, y: 20, rotation: 180 });
  t.ok((turned[1] ?? 9) < 1.1, 'it is turned with its layer, onto white');
});

t.test('contrast is measured in groups and stacks, where they stand', async (t) => {
  const white = { ...text, fill: '#ffffff', text: 'read me', width: 80, height: 20 };
  const ground = { type: 'rect', x: 0, y: 0, width: 100, height: 40, fill: '#000000' };
  const stack = { type: 'stack', x: 0, y: 50, width: 180, height: 30, direction: 'row' };
  const { layers, warnings } = await reportOf([
    { id: 'band', type: 'rect', x: 150, y: 0, width: 50, height: 200, fill: '#000000' },
    {
      id: 'group',
      type: 'group',
      x: 0,
      y: 0,
      width: 100,
      height: 40,
      layers: [
        { ...ground, id: 'ground' },
        { ...white, id: 'in-group', x: 5, y: 5 },
      ],
    },
    {
      ...stack,
      id: 'stack',
      layers: [
        { ...white, id: 'on-paper', x: undefined, y: undefined, width: 150 },
        { ...white, id: 'on-band', x: undefined, y: undefined, width: 30, text: 'on' },
      ],
    },
    // Half a turn takes the text from the paper onto the band.
    {
      id: 'turned',
      type: 'group',
      x: 75,
      y: 75,
      width: 100,
      height: 25,
      rotation: 180,
      layers: [{ ...white, id: 'in-turned', x: 0, y: 0, width: 20, text: 'hi' }],
    },
  ]);
  const contrasts = new Map(layers.map(({ id, text: found }) => [id, found?.contrast ?? 0]));
  t.ok((contrasts.get('in-group') ?? 0) > 20);
  t.ok((contrasts.get('on-paper') ?? 9) < 1.1);
  t.ok((contrasts.get('on-band') ?? 0) > 20);
  t.ok((contrasts.get('in-turned') ?? 0) > 20);
  t.same(
    warnings.map(({ code, layer }) => [code, layer]),
    [['LOW_CONTRAST', 'on-paper']],
  );
});

t.test(
  'contrast is not that with what covers a text, and is that with letters behind it',
  async (t) => {
    const black = { ...text, fill: '#000000', width: 190, height: 25 };
    const cover = { type: 'rect', x: 0, y: 0, width: 200, height: 30, fill: '#00000080' };
    const { layers } = await reportOf([
      { ...black, id: 'covered', text: 'read me' },
      { ...cover, id: 'cover' },
      { ...black, id: 'behind', y: 35, text: '█'.repeat(12) },
      { ...black, id: 'before', y: 35, text: 'lost' },
      { ...black, id: 'free', y: 70, text: 'free' },
    ]);
    const contrasts = new Map(layers.map(({ id, text: found }) => [id, found?.contrast ?? 0]));
    t.ok((contrasts.get('covered') ?? 0) > 20);
    t.ok((contrasts.get('before') ?? 9) < 1.1);
    t.ok((contrasts.get('free') ?? 0) > 20);
  },
);

t.test('effects change the colour of letters and of what is behind them', async (t) => {
  const inner = { ...text, id: 'inner', fill: '#000000', text: 'Hello', width: 90, height: 30 };
  const group = { id: 'group', type: 'group', x: 0, y: 0, width: 100, height: 50 };
  const paper = { id: 'paper', type: 'rect', x: 0, y: 0, width: 100, height: 50, fill: '#000000' };
  const contrastOf = async (effect: object, layers: object[]): Promise<number> => {
    const report = await reportOf([{ ...group, ...effect, layers }]);
    const faint = report.warnings.map(({ code, layer }) => `${code} ${layer}`);
    const { contrast = 0 } = report.layers.find(({ id }) => id === 'inner')?.text ?? {};
    t.same(faint, contrast < 4.5 ? ['LOW_CONTRAST inner'] : [], JSON.stringify(effect));
    return contrast;
  };
  const isNear = (contrast: number, expected: number): void => {
    // A level or two of a channel.
    t.ok(Math.abs(contrast / expected - 1) < 0.05, `${contrast}, expected ${expected}`);
  };
  isNear(await contrastOf({ opacity: 0.25 }, [inner]), 1.85);
  isNear(await contrastOf({ opacity: 0.7 }, [inner]), 8.45);
  isNear(await contrastOf({ opacity: 0.5 }, [paper, { ...inner, fill: '#ffffff' }]), 3.98);
  isNear(await contrastOf({ filter: { invert: 1 } }, [inner]), 1);
  isNear(await contrastOf({ filter: { invert: 1 } }, [paper, { ...inner, fill: '#ffffff' }]), 21);
  isNear(await contrastOf({ blendMode: 'screen' }, [inner]), 1);
  isNear(await contrastOf({}, [{ ...inner, blendMode: 'screen' }]), 1);
  isNear(await contrastOf({ blendMode: 'multiply' }, [inner]), 21);
});

/** Relative luminance of a pixel of `base` (WCAG 2.2). */
function lightAt(pixels: Uint8Array, x: number, y: number): number {
  const start = (Math.floor(y) * base.width + Math.floor(x)) * 4;
  const [red = 0, green = 0, blue = 0] = [...pixels.subarray(start, start + 3)].map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

t.test(
  'over a gradient, and a shade on a photograph, contrast is that of the pixels',
  async (t) => {
    const data = Buffer.from([240, 240, 240, 240, 240, 240]);
    const raw = { width: 2, height: 1, channels: 3 as const };
    const photo = await sharp(data, { raw }).resize(200, 100).png().toBuffer();
    const src = 'https://images.example/bright.png';
    const images = { [src]: await sourceImage(photo) };
    const box = { x: 0, y: 0, width: 200, height: 100 };
    const bright = { ...box, id: 'photo', type: 'image', src };
    const stops = ['#000000', '#ffffff'].map((color, offset) => ({ offset, color }));
    const gradient = { gradient: 'linear', angle: 90, stops };
    const shade = { ...box, id: 'shade', type: 'rect', fill: '#00000099' };
    const fading = {
      gradient: 'linear',
      angle: 90,
      stops: [
        { offset: 0, color: '#000000cc' },
        { offset: 1, color: '#00000000' },
      ],
    };
    const grounds = {
      photo: [bright],
      gradient: [{ ...box, id: 'ground', type: 'rect', fill: gradient }],
      shade: [bright, shade],
      fading: [bright, { ...shade, fill: fading }],
      faint: [bright, { ...shade, fill: '#000000', opacity: 0.6 }],
    };
    for (const [name, layers] of Object.entries(grounds)) {
      const template = validTemplate({ ...base, layers });
      const { data: pixels } = await decodePixels(
        (await renderTemplate(template, { images })).bytes,
      );
      for (const x of [5, 120]) {
        const words = { ...text, id: 'words', x, width: 70, fill: '#ffffff', text: '████' };
        const { report = [], warnings } = await renderTemplate(
          validTemplate({ ...base, layers: [...layers, words] }),
          { images, wantsReport: true },
        );
        const line = report.at(-1)?.text?.lines[0];
        const contrast = report.at(-1)?.text?.contrast ?? 0;
        // The ground gets brighter to the right, and a tenth of the letters may have less contrast.
        const end = Math.floor((line?.x ?? 0) + (line?.width ?? 0) * 0.9);
        const measured = 1.05 / (lightAt(pixels, end, (line?.y ?? 0) - 5) + 0.05);
        t.ok(
          Math.abs(contrast / measured - 1) < 0.08,
          `${name} at ${x}: ${contrast}, ${measured} seen`,
        );
        t.equal(
          warnings.some(({ code }) => code === 'LOW_CONTRAST'),
          contrast < 4.5,
          name,
        );
      }
    }
  },
);
