/** Callers' SVG in its own process: what it draws, what it cannot reach, and what it may cost. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import t from 'tap';
import type { Test } from 'tap';
import { imageLoaderDefaults } from '../../src/images/load-images.ts';
import { DrawingCpu } from '../../src/images/svg/drawing-cpu.ts';
import { SvgPool } from '../../src/images/svg/pool.ts';
import type { SvgPoolOptions, SvgRasteriser, SvgRequest } from '../../src/images/svg/pool.ts';
import { hostileSvgs } from '../fixtures/hostile-svg.ts';
import { testRequester } from '../fixtures/images-loader.ts';

/** A request under a key of its own, as if nothing were known of the file. */
let requests = 0;
const fresh = (file: Buffer): SvgRequest => ({ file, key: String(requests++) });

const defaults: SvgPoolOptions = {
  svgProcessesMax: 1,
  svgWaitingMax: 10,
  queueWaitMs: 10_000,
  svgTimeoutMs: 10_000,
  svgFontConfigFile: undefined,
};

function create(t: Test, options: Partial<SvgPoolOptions> = {}): SvgRasteriser {
  const rasteriser = new SvgPool({ ...defaults, ...options });
  t.teardown(() => rasteriser.close());
  return rasteriser;
}

const svgOf = (root: string, content: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${root}>${content}</svg>`,
  );

const plain = svgOf('viewBox="0 0 20 10"', '<rect width="10" height="10" fill="#f00"/>');

/** Noise in fine grain over the whole drawing: minutes of work from two elements, more than their number tells. */
function slowDrawing(): Buffer {
  const noise = '<filter id="f"><feTurbulence baseFrequency="0.4" numOctaves="9"/></filter>';
  const size = 'width="4000" height="4000"';
  return svgOf(size, `${noise}<rect ${size} filter="url(#f)"/>`);
}

const shared = new SvgPool(defaults);
t.teardown(() => shared.close());
const draw = (file: Buffer): ReturnType<SvgRasteriser['draw']> =>
  shared.draw(fresh(file), testRequester, () => true);

t.test('a file is drawn to its edges, with transparency, large enough for any use', async (t) => {
  const { png, scale } = await draw(plain);
  t.equal(scale, 102.4);
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  t.match(info, { width: 2048, height: 1024 });
  const pixel = (x: number, y: number): number[] => [
    ...data.subarray((y * 2048 + x) * 4, (y * 2048 + x) * 4 + 4),
  ];
  const red = [255, 0, 0, 255];
  for (const [x, y] of [
    [0, 0],
    [1023, 0],
    [0, 1023],
    [1023, 1023],
  ] as const)
    t.same(pixel(x, y), red, `${x} ${y}`);
  for (const [x, y] of [
    [1024, 0],
    [2047, 1023],
  ] as const)
    t.same(pixel(x, y), [0, 0, 0, 0]);
});

t.test('units, a style sheet and a size without a viewBox come out whole', async (t) => {
  const files = [
    svgOf('width="20mm" height="10mm"', '<rect width="10mm" height="10mm" fill="#f00"/>'),
    svgOf('width="20" height="10"', '<style>rect{fill:#f00}</style><rect width="10" height="10"/>'),
    svgOf('width="60000" height="30000"', '<rect width="50%" height="100%" fill="red"/>'),
    svgOf('width="2in" viewBox="0 0 20 10"', '<rect width="50%" height="10" fill="red"/>'),
  ];
  for (const file of files) {
    const { png } = await draw(file);
    const { data, info } = await sharp(png)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const opaque = data.filter((value, index) => index % 4 === 3 && value > 127).length;
    // Half of it, but for the rounding of millimetres.
    t.ok(Math.abs(opaque / (info.width * info.height) - 0.5) < 0.02, `${opaque} of ${info.width}`);
  }
});

t.test('a drawing reaches neither files nor the network', async (t) => {
  let connections = 0;
  const witness = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => {
    witness.listen(0, '127.0.0.1', resolve);
  });
  t.teardown(() => witness.close());
  const base = `http://127.0.0.1:${(witness.address() as AddressInfo).port}`;
  const image = new URL('../../docs/images/welcome-banner.jpg', import.meta.url).href;
  const size = 'width="20" height="10"';
  const attacks = [
    svgOf(size, `<image width="20" height="10" href="${base}/a.png"/>`),
    svgOf(
      size,
      `<image width="20" height="10" href="data:image/svg+xml;base64,${svgOf(size, `<image width="20" height="10" href="${image}"/>`).toString('base64')}"/>`,
    ),
  ];
  for (const attack of attacks) {
    const error = await draw(attack).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    t.match(error, { name: 'ImageError', reason: 'decode' }, attack.toString().slice(90, 180));
  }
  // What is only ignored draws nothing.
  const ignored = [
    Buffer.concat([Buffer.from(`<?xml-stylesheet href="${base}/a.css"?>`), svgOf(size, '')]),
    Buffer.concat([Buffer.from(`<!DOCTYPE svg SYSTEM "${base}/a.dtd">`), svgOf(size, '')]),
    svgOf(size, `<script>fetch("${base}/")</script><script href="#a"/>`),
    svgOf(`${size} onload="fetch('${base}/')"`, ''),
    svgOf(
      size,
      `<foreignObject width="20" height="10"><p xmlns="http://www.w3.org/1999/xhtml">hello</p></foreignObject>`,
    ),
  ];
  for (const file of ignored) {
    const { png } = await draw(file);
    const { isOpaque, channels } = await sharp(png).stats();
    t.notOk(isOpaque);
    t.equal(channels[3]?.max, 0, file.toString().slice(90, 180));
  }
  t.equal(connections, 0);
});

t.test('a drawing that takes too long is killed, and the next one is drawn', async (t) => {
  const rasteriser = create(t, { svgTimeoutMs: 300 });
  // The first start of a process is not counted.
  await rasteriser.draw(fresh(plain), testRequester, () => true);
  await t.rejects(
    rasteriser.draw(fresh(slowDrawing()), testRequester, () => true),
    { reason: 'decode', message: 'is an SVG that takes longer than 0.3 s to draw, the limit' },
  );
  t.ok((await rasteriser.draw(fresh(plain), testRequester, () => true)).png.byteLength > 0);
});

t.test('slow drawings of one organization stop no other, and few of them wait', async (t) => {
  const rasteriser = create(t, { svgProcessesMax: 2, svgWaitingMax: 4, svgTimeoutMs: 4000 });
  const slow = Array.from({ length: 5 }, () =>
    rasteriser
      .draw(fresh(slowDrawing()), testRequester, () => true)
      .catch((error: unknown) => error),
  );
  let hasEnded = false;
  void slow[0]?.then(() => (hasEnded = true));
  const other = { organizationUid: 'org_other', templateUid: 'template' };
  t.ok((await rasteriser.draw(fresh(plain), other, () => true)).png.byteLength > 0);
  t.notOk(hasEnded);
  t.match(await slow[4], { reason: 'overloaded' }, 'two of a template wait, half of four');
  rasteriser.close();
  await Promise.all(slow);
});

t.test('a drawing that takes too much memory costs its process alone', async (t) => {
  // Each of these layers has the drawing's size, 64 MiB, and all are open at once.
  const layered = (depth: number): Buffer =>
    svgOf(
      'width="4096" height="4096"',
      '<g opacity="0.5"><rect width="1" height="1"/>'.repeat(depth) + '</g>'.repeat(depth),
    );
  const rasteriser = create(t, { svgTimeoutMs: 20_000 });
  t.ok((await rasteriser.draw(fresh(layered(3)), testRequester, () => true)).png.byteLength > 0);
  const start = process.memoryUsage.rss();
  await t.rejects(
    rasteriser.draw(fresh(layered(20)), testRequester, () => true),
    { name: 'ImageError', reason: 'decode' },
  );
  t.ok(process.memoryUsage.rss() - start < 100 * 1024 * 1024);
  t.ok((await rasteriser.draw(fresh(plain), testRequester, () => true)).png.byteLength > 0);
});

t.test('a noisy drawing is made smaller until its file is of a sensible size', async (t) => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const jpeg = await sharp({
    create: { width: 1400, height: 1400, channels: 3, background: '#777', noise },
  })
    .jpeg({ quality: 80 })
    .toBuffer();
  const address = `data:image/jpeg;base64,${jpeg.toString('base64')}`;
  const file = svgOf(
    'width="1400" height="1400"',
    `<image width="1400" height="1400" href="${address}"/>`,
  );
  const { png, scale } = await draw(file);
  t.ok(png.byteLength < 8 * 1024 * 1024, `${png.byteLength}`);
  t.equal(scale, 1024 / 1400, 'half of what a small drawing is given');
});

t.test('closing ends what is being drawn, and nothing is drawn afterwards', async (t) => {
  const rasteriser = create(t);
  await rasteriser.draw(fresh(plain), testRequester, () => true);
  const running = rasteriser.draw(fresh(slowDrawing()), testRequester, () => true);
  rasteriser.close();
  await t.rejects(running, { name: 'ImageError' });
  await t.rejects(
    rasteriser.draw(fresh(plain), testRequester, () => true),
    { name: 'ImageError' },
  );
});

const skip = process.platform !== 'linux';

t.test('a process has no environment, and limits of its own', { skip }, async (t) => {
  process.env['PLATEN_TEST_SECRET'] = 'secret';
  const rasteriser = create(t, imageLoaderDefaults);
  const before = childrenOf(process.pid);
  await rasteriser.draw(fresh(plain), testRequester, () => true);
  const [pid] = childrenOf(process.pid).filter((each) => !before.includes(each));
  const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
  t.notMatch(environment, /secret|HOME=/);
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
  t.match(limits, /^Max cpu time +20 +20 /m);
  t.match(limits, /^Max data size +637534208 +637534208 /m);
  t.match(limits, /^Max core file size +0 +0 /m);
});

t.test('a process that is killed costs its drawing a second start', { skip }, async (t) => {
  const rasteriser = create(t, { ...imageLoaderDefaults, svgTimeoutMs: 60_000 });
  const known = new Set(childrenOf(process.pid));
  /** Kills the next process that is started. */
  const killNext = async (): Promise<void> => {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const pid = childrenOf(process.pid).find((each) => each !== '' && !known.has(each));
      if (pid === undefined) continue;
      known.add(pid);
      process.kill(Number(pid), 'SIGKILL');
      return;
    }
  };
  const once = rasteriser.draw(fresh(plain), testRequester, () => true);
  await killNext();
  t.ok((await once).png.byteLength > 0, 'it is drawn by another process');
  const [second] = childrenOf(process.pid).filter((each) => !known.has(each));
  known.add(second ?? '');
  const request = fresh(Buffer.from(hostileSvgs['a wide feMorphology'] ?? ''));
  const twice = rasteriser.draw(request, testRequester, () => true);
  process.kill(Number(second), 'SIGKILL');
  await Promise.all([
    t.rejects(twice, { name: 'ImageError', reason: 'overloaded', retryAfterSeconds: 5 }),
    killNext(),
  ]);
  await t.rejects(
    rasteriser.draw(request, testRequester, () => true),
    { name: 'ImageError', reason: 'overloaded' },
  );
});

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
}

t.test('the files of one image share the time of one drawing', async (t) => {
  const pool = create(t, { svgProcessesMax: 2, svgTimeoutMs: 300 });
  const requester = { ...testRequester, drawingCpu: new DrawingCpu() };
  const drawAs = (each: typeof requester | typeof testRequester, file: Buffer): Promise<string> =>
    pool
      .draw(fresh(file), each, () => true)
      .then(
        () => 'drawn',
        (error: unknown) => (error as Error).message,
      );
  const files = [plain, slowDrawing(), plain, slowDrawing()];
  const results = await Promise.all(files.map((file) => drawAs(requester, file)));
  t.equal(results[0], 'drawn');
  t.match(results[1], /^is an SVG that takes longer than 0\.3 s to draw together with the others/);
  t.match(results[2], /together with the others, the limit$/, 'nothing is drawn afterwards');
  t.equal(results[3], results[2]);
  t.equal(await drawAs(testRequester, plain), 'drawn', 'another image has its own time');
});
