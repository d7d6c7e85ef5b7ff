/** SVGs that are drawn beside hostile ones, for eight clients that wait as long as the answer says before they repeat a request. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { ImageError, imageLoaderDefaults } from '../../src/images/load-images.ts';
import { SvgLayers } from '../../src/images/svg/layers.ts';
import { SvgPool } from '../../src/images/svg/pool.ts';
import { hostileSvgs } from '../fixtures/hostile-svg.ts';
import { testRequester } from '../fixtures/images-loader.ts';

const rasteriser = new SvgPool({ ...imageLoaderDefaults, svgTimeoutMs: 600 });
t.teardown(() => rasteriser.close());

/** What a client gets within three tries. */
async function ask(key: string, svg: string, sidePx: number): Promise<string> {
  const size = { widthPx: sidePx, heightPx: sidePx };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rasteriser.draw({ file: Buffer.from(svg), key, size }, testRequester, () => true);
      return 'drawn';
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      if (error.reason !== 'overloaded' || attempt === 3) return error.reason;
      await sleep((error.retryAfterSeconds ?? 1) * 1000);
    }
  }
}

t.test('no sound SVG of a template is refused because others of it are hostile', async (t) => {
  const wide = hostileSvgs['a wide feMorphology'] ?? '';
  const sound = (radius: number): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="${radius}"/></svg>`;
  const images = extent(40, 200);
  const indices = Array.from({ length: images }, (_, index) => index);
  const [drawn, ended] = [new Map<string, number>(), new Map<string, number>()];
  const client = async (): Promise<void> => {
    for (let index = indices.pop(); index !== undefined; index = indices.pop()) {
      const isHostile = index % 20 === 7;
      const svg = isHostile ? wide.replace('1000', String(1000 + index)) : sound(index / 10);
      const result = await ask(String(index), svg, isHostile ? 2000 : 400);
      const results = isHostile ? ended : drawn;
      results.set(result, (results.get(result) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  t.same([...drawn], [['drawn', (images * 19) / 20]], 'all sound ones are drawn');
  t.notOk(ended.has('drawn'));
});

t.test('the drawings of one image share the time of one', async (t) => {
  const timeoutMs = 300;
  const limited = new SvgPool({ ...imageLoaderDefaults, svgTimeoutMs: timeoutMs });
  t.teardown(() => limited.close());
  const layers = new SvgLayers(limited, timeoutMs);
  const { signal } = new AbortController();
  const drawings = Array.from({ length: 12 }, (_, seed) => ({
    svg:
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><filter id="f">' +
      `<feTurbulence numOctaves="4" baseFrequency=".9" seed="${seed}"/></filter>` +
      '<rect filter="url(#f)" width="9" height="9"/></svg>',
    widthPx: 400,
    heightPx: 400,
  }));
  const { images, problems } = await layers.draw(drawings, testRequester, signal);
  t.ok(images.length > 0 && problems.length > 0, `${images.length} of 12 are drawn`);
  t.match(problems.at(-1)?.[1], /^takes longer than 0\.3 s to draw together with the others/);
  const again = await layers.draw(drawings, testRequester, signal);
  t.ok(again.images.length <= images.length + 1, 'kept drawings count with what they took');
});
