/** Damaged, lying and exploding files through a real process: each becomes an image or an error by value, and costs little. */
import { hash } from 'node:crypto';
import t from 'tap';
import type { RenderJob, RenderOutcome, SourceImage } from '#wire/render-job.ts';
import { Deadline } from '../../../src/foundation/deadline.ts';
import { checkImageLimits } from '../../../src/images/admit-image.ts';
import { ImageError } from '../../../src/images/image-error.ts';
import { resolveImageLoaderOptions } from '../../../src/images/config.ts';
import { readImageHeader } from '../../../src/images/sniff/sniff-image.ts';
import type { ImageHeader } from '../../../src/images/sniff/sniff-image.ts';
import { createLog } from '../../../src/foundation/log.ts';
import { RenderPool } from '../../../src/scheduling/pool.ts';
import { cpuMsOf, residentOf } from '../../../src/foundation/process-usage.ts';
import { admitted, sharedBytes, sourceImage, svgFontConfigFile } from '../../helpers/render.ts';
import { childrenOf } from '../../helpers/child-processes.ts';
import { aLayer, aTemplate } from '../../fixtures/template-documents.ts';
import { bombs } from '../../fixtures/images-bombs.ts';
import {
  damagedFiles,
  lyingFiles,
  soundFiles,
  twoComponentJpeg,
} from '../../fixtures/images-damaged.ts';
import type { ImageFile } from '../../fixtures/images-damaged.ts';

const settings = resolveImageLoaderOptions({});
const megabyte = 1024 * 1024;

const faults: string[] = [];
const log = createLog((level, line) => {
  if (level === 'error') faults.push(line);
});

const pool = new RenderPool({
  threadCount: 1,
  queueMax: 10,
  log,
  fontConfigFile: svgFontConfigFile,
});
t.teardown(() => pool.close(10_000));

const src = 'https://a.example/a';
const document = aTemplate({ layers: [aLayer('image', { width: 64, height: 48, src })] });

/** Draws one file in the process. */
async function draw(image: SourceImage): Promise<RenderOutcome> {
  const job: RenderJob = {
    templateKey: 'image',
    templateJson: JSON.stringify(document),
    values: new Map(),
    images: [[src, image]],
    format: 'jpeg',
    quality: 80,
    scale: 1,
  };
  const { outcome } = await pool.run(job, new Deadline(performance.now() + 30_000));
  return outcome;
}

/**
 * A file as the process gets it; a cut one as well, which would not be admitted: what the header misses,
 * decoding must find. Undefined when the header cannot be read or is over a limit.
 */
function admit({ bytes }: ImageFile): SourceImage | undefined {
  try {
    return admitted(bytes);
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    const header = readImageHeader(bytes);
    if (error.reason !== 'decode' || header === undefined) return undefined;
    if (isOverLimit(header, bytes.length)) return undefined;
    const { format, widthPx, heightPx, orientation } = header;
    const digest = hash('sha256', bytes);
    return { digest, format, widthPx, heightPx, orientation, bytes: sharedBytes(bytes) };
  }
}

function isOverLimit(header: ImageHeader, fileBytes: number): boolean {
  try {
    checkImageLimits(header, fileBytes, settings);
    return false;
  } catch {
    return true;
  }
}

const sound = await soundFiles();

t.test('sound files of every kind are drawn', async (t) => {
  for (const file of sound) {
    const image = admit(file);
    t.match(image === undefined ? undefined : await draw(image), { ok: true }, file.name);
  }
});

/** The one render host, as Linux measures it: elsewhere both are 0. */
const renderer = {
  get pid(): number {
    return childrenOf(process.pid, 'render-host.ts')[0] ?? 0;
  },
  cpuMs: () => cpuMsOf(renderer.pid) ?? 0,
  bytes: () => residentOf(renderer.pid)?.private ?? 0,
};

t.test('the render host is measured', { skip: process.platform !== 'linux' }, async (t) => {
  t.ok(renderer.cpuMs() > 0);
  t.ok(renderer.bytes() > 0);
});

const bombFiles = bombs(sound);

t.test('no bomb takes a second or much memory on the way', { timeout: 60_000 }, async (t) => {
  for (const file of bombFiles) {
    const lookStart = process.cpuUsage();
    const image = admit(file);
    const { user: lookUs } = process.cpuUsage(lookStart);
    t.ok(lookUs < 500_000, `${file.name} is looked at in ${(lookUs / 1000).toFixed(0)} ms`);
    // An image of many pixels may take the memory that it is let in for.
    if (image === undefined || image.widthPx * image.heightPx > 1e6) continue;
    const peak = watchMemory();
    const startMs = renderer.cpuMs();
    await draw(image);
    const cpuMs = renderer.cpuMs() - startMs;
    const grownBytes = peak();
    t.ok(cpuMs < 1000, `${file.name} takes ${cpuMs} ms`);
    t.ok(grownBytes < 100 * megabyte, `${file.name}: ${(grownBytes / megabyte).toFixed(0)} MiB`);
  }
});

t.test('what would take long to decode is refused with the reason', async (t) => {
  const refused: [name: string, message: RegExp][] = [
    ['jpeg with 3,000 scans of 6,000 x 6,000', /too many scans .* baseline JPEG/],
    ['webp with 6,000 frames', /more than 4000 frames/],
  ];
  for (const [name, message] of refused) {
    const bytes = bombFiles.find((file) => file.name === name)?.bytes ?? Buffer.alloc(0);
    const header = readImageHeader(bytes);
    t.throws(() => header && checkImageLimits(header, bytes.length, settings), {
      reason: 'too_large',
      message,
    });
  }
});

t.test('a JPEG of two components is refused by its header and by a process', async (t) => {
  const bytes = twoComponentJpeg();
  t.equal(readImageHeader(bytes), undefined);
  t.throws(() => admitted(bytes), { message: /damaged or unusual JPEG/ });
  const image = await sourceImage(bytes, { format: 'jpeg', widthPx: 8, heightPx: 8 });
  t.match(await draw(image), { ok: false, code: 'BAD_IMAGE', detail: /damaged JPEG/ });
});

/** Watches the render host's memory; the returned function says by how much it had grown at most. */
function watchMemory(): () => number {
  const startBytes = renderer.bytes();
  let peakBytes = startBytes;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, renderer.bytes());
  }, 2);
  return () => {
    clearInterval(timer);
    return Math.max(peakBytes, renderer.bytes()) - startBytes;
  };
}

t.test('no file crashes a process, hangs it or makes it grow', { timeout: 60_000 }, async (t) => {
  const files = [...sound.flatMap(damagedFiles), ...lyingFiles(sound), ...bombFiles];
  const readable = files.flatMap((file) => {
    const image = admit(file);
    return image === undefined ? [] : [{ name: file.name, image }];
  });
  t.ok(readable.length >= 200, `${readable.length} of ${files.length} come to the process`);
  // The first round brings code, fonts and the allocator's arenas into memory.
  for (const { image } of readable) await draw(image);
  const startBytes = renderer.bytes();
  const tally = { images: 0, refusals: 0 };
  for (const { name, image } of readable) {
    const outcome = await draw(image);
    if (outcome.ok) tally.images++;
    else {
      tally.refusals++;
      if (outcome.code !== 'BAD_IMAGE') t.fail(`${name}: ${outcome.detail}`);
    }
  }
  const grownBytes = renderer.bytes() - startBytes;
  const grown = `grown ${(grownBytes / megabyte).toFixed(0)} MiB`;
  t.comment(`${JSON.stringify(tally)}, ${grown}`);
  t.ok(tally.refusals >= 100);
  t.ok(grownBytes < 100 * megabyte, `${grownBytes} bytes`);
  t.same(faults, []);
  const [still] = sound.map(admit);
  t.match(still && (await draw(still)), { ok: true });
});
