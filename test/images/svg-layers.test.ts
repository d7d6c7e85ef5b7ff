/** SVG layers of templates: drawn at an exact size, within the time and memory of one image, and once. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import t from 'tap';
import type { SvgDrawing } from '#wire/render-job.ts';
import { drawingSource } from '#wire/svg-drawing.ts';
import type { DrawnLayers } from '../../src/images/svg/layers.ts';
import { imageLoaderDefaults } from '../../src/images/config.ts';
import { SvgLayers } from '../../src/images/svg/layers.ts';
import { SvgPool } from '../../src/images/svg/pool.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { hostileSvgs, multiplyingSvgs } from '../fixtures/hostile-svg.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { testRequester } from '../fixtures/images-loader.ts';
import { extent } from '../helpers/extent.ts';

const timeoutMs = 300;
const svgFontConfigFile = await prepareFontEnvironment(
  fileURLToPath(new URL('../../node_modules/.cache/platen-test', import.meta.url)),
);
const rasteriser = new SvgPool({
  svgProcessesMax: 1,
  svgWaitingMax: 40,
  queueWaitMs: 10_000,
  svgTimeoutMs: timeoutMs,
  // Which fonts there are is part of what a text costs.
  svgFontConfigFile,
});
t.teardown(() => rasteriser.close());
let drawings = 0;
const counted = {
  close: () => rasteriser.close(),
  draw: (...parameters: Parameters<typeof rasteriser.draw>) => {
    drawings += 1;
    return rasteriser.draw(...parameters);
  },
};
const layers = new SvgLayers(counted, timeoutMs);

function svg(inside: string, attributes = 'viewBox="0 0 1000 1000"'): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`;
}

function draw(...list: SvgDrawing[]): Promise<DrawnLayers> {
  return layers.draw(list, testRequester, new AbortController().signal);
}

async function problemOf(markup: string): Promise<string | undefined> {
  const { problems } = await draw({ svg: markup, widthPx: 400, heightPx: 400 });
  return problems[0]?.[1];
}

/** Processes that this one has started; none where the system does not tell them. */
function children(): string[] {
  const path = `/proc/${process.pid}/task/${process.pid}/children`;
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ') : [];
}

t.test('an svg is drawn at exactly the wanted size', async (t) => {
  const cases: [attributes: string, corner: number[]][] = [
    ['viewBox="0 0 24 24"', [0, 0, 0, 0]],
    ['width="24" height="24"', [0, 0, 0, 0]],
    ['width="24px" height="24px" viewBox="0 0 24 24"', [0, 0, 0, 0]],
    ['viewBox="0 0 24 24" preserveAspectRatio="none"', [255, 0, 0, 255]],
  ];
  for (const [attributes, corner] of cases) {
    const markup = svg('<rect width="24" height="24" fill="#f00"/>', attributes);
    const { images } = await draw({ svg: markup, widthPx: 101, heightPx: 37 });
    const [, image] = images[0] ?? [];
    t.match(image, { format: 'png', widthPx: 101, heightPx: 37 }, attributes);
    const { data } = await sharp(image?.bytes).raw().toBuffer({ resolveWithObject: true });
    const pixel = (x: number): number[] => [...data.subarray((18 * 101 + x) * 4).subarray(0, 4)];
    t.same(pixel(0), corner);
    t.same(pixel(50), [255, 0, 0, 255]);
  }
});

t.test('equal drawings are made once, also for many at a time', async (t) => {
  const drawing = { svg: svg('<circle r="9"/>'), widthPx: 20, heightPx: 20 };
  drawings = 0;
  const all = await Promise.all([draw(drawing, drawing), draw(drawing), draw(drawing)]);
  for (const { images } of all)
    t.same(
      images.map(([source]) => source),
      [drawingSource(drawing)],
    );
  await draw(drawing);
  t.equal(drawings, 1);
  await draw({ ...drawing, widthPx: 21 });
  t.equal(drawings, 2, 'another size is another drawing');
});

t.test('markup that cannot be drawn is a problem, and so is markup that reaches out', async (t) => {
  for (const markup of [
    'no markup',
    svg('<image href="file:///etc/hostname"/>'),
    svg('<g>'.repeat(10_000) + '</g>'.repeat(10_000)),
    svg('&undefined;'),
    svg('<rect/>', 'width="-5" height="NaN"'),
    `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`,
  ])
    t.type(await problemOf(markup), 'string', markup.slice(0, 60));
});

for (const [name, markup] of Object.entries(hostileSvgs).slice(0, extent(3, Infinity))) {
  t.test(`${name}: ended, and not begun again`, async (t) => {
    const drawing = { svg: markup, widthPx: 2000, heightPx: 2000 };
    const { images, problems } = await draw(drawing);
    t.same(images, []);
    const ends = /^(takes longer than 0\.3 s|needs more memory) to draw|^is a damaged/;
    t.match(problems[0]?.[1], ends);
    const before = new Set(children());
    t.same((await draw(drawing)).problems, problems, 'what is known is reported again');
    const begun = children().filter((pid) => !before.has(pid));
    t.same(begun, [], 'without a process');
  });
}

t.test('references that multiply end, drawn or not', async (t) => {
  for (const [name, markup] of Object.entries(multiplyingSvgs)) {
    const { images, problems } = await draw({ svg: markup, widthPx: 1000, heightPx: 1000 });
    t.equal(images.length + problems.length, 1, name);
  }
  const sound = { svg: svg('<rect width="5" height="5"/>'), widthPx: 70, heightPx: 70 };
  t.equal((await draw(sound)).images.length, 1, 'what comes next is drawn');
});

t.test('drawings that fail use up what all drawings of an image may take', async (t) => {
  const slow = hostileSvgs['many octaves'] ?? '';
  const many = Array.from({ length: 20 }, (_, index) => ({
    svg: slow.replace('<svg ', `<svg id="n${index}" `),
    widthPx: 2000,
    heightPx: 2000,
  }));
  const before = drawings;
  const { images, problems, cpuMs } = await draw(...many);
  t.same(images, []);
  t.equal(problems.length, many.length);
  t.equal(drawings - before, many.length);
  t.match(problems[0]?.[1], /^takes longer than 0\.3 s to draw, the limit/);
  for (const [, problem] of problems.slice(1)) t.match(problem, 'together with the others');
  t.ok(cpuMs >= timeoutMs && cpuMs <= 2 * timeoutMs + 300, `${cpuMs} ms`);
});

t.test('text is drawn with the fonts of templates, and emoji in its own colour', async (t) => {
  const patient = new SvgPool({ ...imageLoaderDefaults, svgTimeoutMs: 10_000, svgFontConfigFile });
  t.teardown(() => patient.close());
  const inkOf = async (text: string, family: string): Promise<Ink> => {
    const style = `x="20" y="70" font-size="50" fill="#00f" font-family="${family}"`;
    const root = 'xmlns="http://www.w3.org/2000/svg" width="200" height="100"';
    const file = Buffer.from(`<svg ${root}><text ${style}>${text}</text></svg>`);
    return findInk(
      (await patient.draw({ file, key: text + family }, testRequester, () => true)).png,
    );
  };
  t.ok((await inkOf('\u{10FFFD}', 'Inter')).isBox, 'a character that nobody has is a box');
  const texts = ['Ag', 'мир', 'שלום', 'سلام', '本', '한', 'ไทย', 'नम', '😀', '👍🏽', '🇩🇪', '❤️'];
  const cases = texts.map((text) => [text, 'Inter'] as const);
  for (const [text, family] of [...cases, ['😀', 'Arial'], ['😀', 'Twemoji Mozilla']] as const) {
    const { isBox, pixels, isBlue } = await inkOf(text, family);
    t.ok(pixels > 1000 && !isBox && isBlue, `${text} in ${family}`);
  }
});

interface Ink {
  /** Pixels that are more than half opaque. */
  pixels: number;
  /** Whether its left and its upper edge are straight lines, as of the box for a missing character. */
  isBox: boolean;
  isBlue: boolean;
}

async function findInk(png: Uint8Array): Promise<Ink> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const ink: [x: number, y: number][] = [];
  let isBlue = true;
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 3] ?? 0) <= 127) continue;
    ink.push([(at / 4) % info.width, Math.floor(at / 4 / info.width)]);
    isBlue &&= data[at] === 0 && data[at + 2] === 255;
  }
  const [left, right] = edges(ink.map(([x]) => x));
  const [top, bottom] = edges(ink.map(([, y]) => y));
  const onLeft = ink.filter(([x]) => x === left).length;
  const onTop = ink.filter(([, y]) => y === top).length;
  const isBox = onLeft > 0.95 * (bottom - top) && onTop > 0.95 * (right - left);
  return { pixels: ink.length, isBox, isBlue };
}

function edges(positions: readonly number[]): [low: number, high: number] {
  return [
    positions.reduce((low, each) => Math.min(low, each), Infinity),
    positions.reduce((high, each) => Math.max(high, each), 0),
  ];
}

t.test('an organization with many drawings evicts none of another', async (t) => {
  let drawn = 0;
  const png = Buffer.concat([pngOf({ widthPx: 9, heightPx: 9 }), Buffer.alloc(4 * 1024 * 1024)]);
  const kept = new SvgLayers(
    {
      close: () => undefined,
      draw: () => {
        drawn += 1;
        return Promise.resolve({ png, scale: 1, cpuMs: 1 });
      },
    },
    timeoutMs,
  );
  const drawFor = (organizationUid: string, radius: number): Promise<DrawnLayers> =>
    kept.draw(
      [{ svg: svg(`<circle r="${radius}"/>`), widthPx: 9, heightPx: 9 }],
      { organizationUid, templateUid: 'template' },
      new AbortController().signal,
    );
  await drawFor('org_few', 0);
  for (let radius = 1; radius <= 20; radius += 1) await drawFor('org_many', radius);
  t.equal(drawn, 21);
  await drawFor('org_few', 0);
  t.equal(drawn, 21);
});
