/** The processes that draw SVG: their limits, and what becomes of a drawing when one is killed from outside. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { imageLoaderDefaults } from '../../src/images/load-images.ts';
import { SvgPool } from '../../src/images/svg/pool.ts';
import type { SvgRequest } from '../../src/images/svg/pool.ts';
import { hostileSvgs } from '../fixtures/hostile-svg.ts';
import { testRequester } from '../fixtures/images-loader.ts';

const plain =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect width="1" height="1"/></svg>';
const slow = hostileSvgs['a wide feMorphology'] ?? '';
const requestOf = (svg: string): SvgRequest => ({ file: Buffer.from(svg), key: svg });

t.test(
  'a process has nothing of this one’s environment, and limits of its own',
  { skip: process.platform !== 'linux' },
  async (t) => {
    process.env['PLATEN_TEST_SECRET'] = 'secret';
    const rasteriser = new SvgPool(imageLoaderDefaults);
    t.teardown(() => rasteriser.close());
    const before = childrenOf(process.pid);
    await rasteriser.draw(requestOf(plain), testRequester, () => true);
    const [pid] = childrenOf(process.pid).filter((each) => !before.includes(each));
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    t.notMatch(environment, /secret|HOME=/);
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
    t.match(limits, /^Max cpu time +20 +20 /m);
    t.match(limits, /^Max data size +637534208 +637534208 /m);
    t.match(limits, /^Max core file size +0 +0 /m);
  },
);

t.test(
  'a process that is killed from outside costs its drawing a second start, and no blame',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const rasteriser = new SvgPool({ ...imageLoaderDefaults, svgTimeoutMs: 60_000 });
    t.teardown(() => rasteriser.close());
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
    const once = rasteriser.draw(requestOf(plain), testRequester, () => true);
    await killNext();
    t.ok((await once).png.byteLength > 0, 'it is drawn by another process');
    const [second] = childrenOf(process.pid).filter((each) => !known.has(each));
    known.add(second ?? '');
    const request = requestOf(slow);
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
  },
);

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
}
