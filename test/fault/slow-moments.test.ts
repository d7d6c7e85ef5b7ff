/** Renders whose CPU time is inflated for a moment, in real processes behind the real server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Template } from '#language/schema/template.ts';
import { startRealPool } from '../fixtures/real-pool.ts';
import { serveRenders } from '../fixtures/render-service.ts';

const { renderMsMax, longRenderMsMax } = templateLimits;
const program = join(import.meta.dirname, '../fixtures/slow-thread.ts');
const pool = await startRealPool(t, 1, program);
// A busy machine may take minutes for some seconds of CPU time.
t.setTimeout(600_000);
const service = await serveRenders(t, { pool, timeoutMs: 300_000 });
const momentPath = join(t.testdir(), 'moment');
const slowBy = (ms: number): void => writeFileSync(momentPath, String(ms));

const photo =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEUlEQVR42mM4IWfzH4QZYAwASzAIhTUhSbMAAAAASUVORK5CYII=';
const box = { x: 0, y: 0, width: 300, height: 200 };
/** Two images in colours of their own, so that a process decodes them for this template: the moment lies between. */
const documentOf = (tints: [string, string]): Partial<Template> => ({
  width: 300,
  height: 200,
  variables: [
    { name: 'moment', type: 'text', value: momentPath },
    { name: 'name', type: 'text', value: 'Ada' },
  ],
  layers: [
    { id: 'back', type: 'image', ...box, src: photo, tint: tints[0] },
    { id: 'front', type: 'image', ...box, width: 50, src: photo, tint: tints[1] },
    { id: 'name', type: 'text', ...box, text: '{{name}}' },
  ],
});
const asProgram = { headers: { accept: 'application/json' } };
const asReader = { headers: { 'sec-fetch-dest': 'image' } };

t.test('an image that is late at a slow moment is answered and kept', async (t) => {
  service.publish('card', documentOf(['#102030', '#203040']));
  slowBy(renderMsMax);
  const late = await service.get('card?name=Grace', asProgram);
  t.equal(late.status, 200);
  t.equal(late.headers.get('x-render-warnings'), null, 'as it is designed');
  const again = await service.get('card?name=Grace', asProgram);
  t.match(again.headers.get('server-timing'), /desc=hit/);
});

t.test(
  'a longer moment is 503 for programs and an image for readers, and over later',
  async (t) => {
    service.publish('other', documentOf(['#304050', '#405060']));
    slowBy(longRenderMsMax);
    const image = await service.get('other?name=Rosa', asReader);
    t.equal(image.status, 200);
    t.equal(image.headers.get('x-render-error'), 'OVERLOADED');
    service.publish('other', documentOf(['#506070', '#607080']));
    const answer = await service.get('other?name=Mary', asProgram);
    t.equal(answer.status, 503);
    t.equal(answer.headers.get('retry-after'), '2');
    t.match(await answer.json(), {
      error: { code: 'OVERLOADED', message: /takes more than 3000 ms .* at this moment/ },
    });
    slowBy(0);
    t.equal((await service.get('other?name=Mary', asProgram)).status, 200);
    t.equal(pool.failures, 0, 'no process is ended');
  },
);
