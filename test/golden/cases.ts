/** Reads the golden cases and compares renders with their accepted images. */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { framesOf, frameValues } from '#language/animation/frames.ts';
import { extensionOf } from '#language/formats.ts';
import { imageSources, resolveLayers } from '#language/bind/layers.ts';
import type { RenderJob, SourceImage } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import {
  decodePixels,
  organizationFont,
  readImage,
  renderTemplate,
  validTemplate,
  valuesOf,
} from '../helpers/render.ts';

const folder = import.meta.dirname;

/** Channels may differ by this much of 255: rounding of the last bit. */
const channelDifferenceMax = 1;

/** One golden case: what is drawn, and the warnings that it must give. */
export interface GoldenCase {
  /** A claim, unique and under 60 characters. */
  title: string;
  template: unknown;
  values?: Record<string, string>;
  scale?: RenderJob['scale'];
  /** A size of the template. */
  size?: string;
  /** The language of the link. */
  lang?: string;
  /** The time of the render, ISO 8601; for cases that need a clock. */
  time?: string;
  /** Fonts that an organization brought, by the names that the template has for them: files of packages. */
  fonts?: Record<string, string>;
  /** The image is kept in the format and quality of the template's `output`, not as PNG. */
  encoded?: true;
  /** Warning codes in order; absent: none may come. */
  warnings?: string[];
}

/** Path of a case without its ending, relative to this folder. */
export function listCases(): string[] {
  return globSync('*/*.json', { cwd: folder })
    .map((path) => join(dirname(path), basename(path, '.json')))
    .toSorted();
}

export function readCase(name: string): GoldenCase {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as GoldenCase;
}

/** Path of a case's accepted image, relative to this folder. */
export function imagePath(name: string, golden: GoldenCase): string {
  const { format = 'png' } = encodingOf(golden);
  return `${name}.${extensionOf(format)}`;
}

function encodingOf({ encoded, template }: GoldenCase): NonNullable<Template['output']> {
  return encoded === true ? ((template as Template).output ?? {}) : {};
}

/** Renders a case as PNG, or as its template says. */
export async function renderCase(
  golden: GoldenCase,
): Promise<{ bytes: Uint8Array; warnings: string[] }> {
  const { template: document, values = {}, scale = 1, size, lang, time } = golden;
  const locale = {
    ...(lang === undefined ? {} : { lang }),
    ...(time === undefined ? {} : { timeMs: Date.parse(time) }),
  };
  const template = validTemplate(document, size);
  const animation = framesOf(template, locale.timeMs);
  const images: Record<string, SourceImage> = {};
  for (const frame of animation?.frames ?? [{}]) {
    const all = frameValues({ values: valuesOf(template, values) }, frame);
    Object.assign(images, await fixturesOf(template, all, { ...locale, ...frame }));
  }
  const outcome = await renderTemplate(template, {
    values,
    images,
    scale,
    ...locale,
    ...(animation === undefined ? {} : { animation }),
    fonts: Object.entries(golden.fonts ?? {}).map(([name, file]) =>
      organizationFont(name, fileURLToPath(import.meta.resolve(file))),
    ),
    ...encodingOf(golden),
  });
  return { bytes: outcome.bytes, warnings: outcome.warnings.map(({ code }) => code) };
}

/** The files that a template draws with values, by their sources `fixture:x.png`. */
export async function fixturesOf(
  template: Template,
  values: ReadonlyMap<string, string>,
  moment: Parameters<typeof resolveLayers>[2] = {},
): Promise<Record<string, SourceImage>> {
  const images: Record<string, SourceImage> = {};
  for (const source of imageSources(resolveLayers(template, values, moment).layers)) {
    if (!source.startsWith('fixture:')) continue;
    images[source] = await readImage(`test/golden/images/${source.slice(8)}`);
  }
  return images;
}

/** What is wrong with a render beside its accepted image; undefined when nothing is. */
export async function compareCase(
  name: string,
  golden: GoldenCase,
  actual: Uint8Array,
): Promise<string | undefined> {
  const path = join(folder, imagePath(name, golden));
  if (!existsSync(path)) {
    return 'has no accepted image: run `npm run golden:accept`, look at it and commit it';
  }
  const expectedBytes = readFileSync(path);
  const expected = await decodePixels(expectedBytes);
  const drawn = await decodePixels(actual);
  if (expected.width !== drawn.width || expected.height !== drawn.height) {
    return `is ${drawn.width}x${drawn.height}, expected ${expected.width}x${expected.height}`;
  }
  const differing = countDiffering(expected.data, drawn.data);
  if (differing === 0) return undefined;
  const panel = await writePanel(name, expectedBytes, actual);
  return `differs in ${differing} pixels: see ${panel} (expected | difference | actual)`;
}

function countDiffering(expected: Buffer, actual: Buffer): number {
  let differing = 0;
  for (let pixel = 0; pixel < expected.length; pixel += 4) {
    for (let channel = pixel; channel < pixel + 4; channel += 1) {
      const difference = Math.abs((expected[channel] ?? 0) - (actual[channel] ?? 0));
      if (difference <= channelDifferenceMax) continue;
      differing += 1;
      break;
    }
  }
  return differing;
}

async function writePanel(name: string, expected: Uint8Array, actual: Uint8Array): Promise<string> {
  const { width, height } = await decodePixels(expected);
  const difference = await sharp(expected)
    .flatten({ background: '#fff' })
    .composite([{ input: Buffer.from(actual), blend: 'difference' }])
    .png()
    .toBuffer();
  const path = join(folder, 'diffs', `${name.replaceAll('/', '-')}.png`);
  mkdirSync(dirname(path), { recursive: true });
  await sharp({ create: { width: width * 3, height, channels: 4, background: '#fff' } })
    .composite(
      [expected, difference, actual].map((input, index) => ({
        input: Buffer.from(input),
        left: index * width,
        top: 0,
      })),
    )
    .png()
    .toFile(path);
  return relative(join(folder, '../..'), path);
}

/** Writes a render as the case's accepted image, a PNG as small as it gets without losing a colour. */
export async function acceptCase(
  name: string,
  golden: GoldenCase,
  actual: Uint8Array,
): Promise<void> {
  const path = join(folder, imagePath(name, golden));
  if (golden.encoded === true) {
    writeFileSync(path, actual);
    return;
  }
  const files = await Promise.all(
    // `effort` is left out: it would reduce the image to 256 colours.
    [true, false].map((adaptiveFiltering) =>
      sharp(actual).png({ compressionLevel: 9, adaptiveFiltering }).toBuffer(),
    ),
  );
  const [smallest] = files.toSorted((a, b) => a.length - b.length);
  if (smallest !== undefined) writeFileSync(path, smallest);
}
