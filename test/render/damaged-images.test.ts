import t from 'tap';
import { pngOf } from '../fixtures/images-files.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { startPool } from '../fixtures/render-pool.ts';
import { startService } from '../fixtures/render-service.ts';

const pool = await startPool(t);

t.test('attempts with damaged images have the CPU time of one render together', async (t) => {
  const names = ['a', 'b'];
  const origin = await startOrigin(
    Object.fromEntries(
      names.map((name, index) => [
        `/${name}.png`,
        (_, response) => response.end(pngOf({ widthPx: index + 1, heightPx: 1 })),
      ]),
    ),
  );
  const { get, publish } = await startService(t, { pool, origins: [origin] });
  const url = (name: string): string => origin.url(`/${name}.png`);
  publish(
    'pair',
    {
      onImageError: 'default',
      variables: names.map((name) => ({ name, type: 'image', value: '' }) as const),
      layers: names.map((name) => ({
        id: name,
        type: 'image',
        x: 0,
        y: 0,
        width: 9,
        height: 9,
        src: `{{${name}}}`,
      })),
    },
    { damaged: names.map(url) },
  );
  const answer = await get(`pair?a=${url('a')}&b=${encodeURIComponent(url('b'))}`);
  t.equal(answer.status, 200);
  t.match(await answer.json(), { images: [], spentMs: 600 });
  const sound = await get('pair');
  t.notMatch(await sound.json(), { spentMs: Number });
});
