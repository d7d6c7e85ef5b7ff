import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startPool } from '../fixtures/render-pool.ts';
import { startService } from '../fixtures/render-service.ts';

const pool = await startPool(t);

const photoTemplate: Partial<Template> = {
  variables: [
    { name: 'name', type: 'text', value: 'World' },
    { name: 'photo', type: 'image', value: '' },
  ],
  layers: [{ id: 'image', type: 'image', x: 0, y: 0, width: 100, height: 100, src: '{{photo}}' }],
};

t.test('an asset that a link draws, or shows again, is noted once a day at least', async (t) => {
  let nowMs = Date.UTC(2026, 0, 1);
  const { get, publish, stores } = await startService(t, { pool, nowMs: () => nowMs });
  const { assets, db, use, clock } = stores;
  const bytes = pngOf({ widthPx: 1, heightPx: 1 });
  const id = assets.saveAsset('org_a', bytes, {
    format: 'png',
    widthPx: 1,
    heightPx: 1,
    orientation: 1,
  });
  publish('card', photoTemplate);
  const usedOn = (): unknown => {
    use.flush();
    return db.prepare('SELECT used_on FROM asset_use').pluck().get();
  };
  const target = `card?photo=${id}`;
  const first = await get(target);
  t.equal(first.status, 200);
  t.equal(usedOn(), '2030-01-01');
  const nextDay = (): void => {
    nowMs += 25 * 60 * 60 * 1000;
    clock.nowMs += 25 * 60 * 60 * 1000;
  };
  nextDay();
  const etag = first.headers.get('etag') ?? '';
  t.equal((await get(target, { headers: { 'If-None-Match': etag } })).status, 304);
  t.equal(usedOn(), '2030-01-02', 'the caller has the image');
  nextDay();
  t.match((await get(target)).headers.get('server-timing'), /desc=miss/, 'drawn again');
  t.equal(usedOn(), '2030-01-03');
});
