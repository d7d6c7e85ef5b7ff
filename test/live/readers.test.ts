/** What one reader sees is not what another one sees: by the contact, the client and the share. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { holdClock } from '../fixtures/held-clock.ts';
import { startPool } from '../fixtures/render-pool.ts';
import { startService } from '../fixtures/render-service.ts';

const pool = await startPool(t);

/** That of the service, too, which shares this process. */
const wallClock = holdClock(t, '2026-11-25T15:30:50Z');

const { get, publish } = await startService(t, { pool });

const dayMs = 24 * 3_600_000;
const frame = { id: 'text', type: 'text', x: 0, y: 0, width: 100, height: 50 } as const;
const contact = { name: 'contact', type: 'text', value: '' } as const;

t.test(
  'a repaired link shows the countdown of its contact, and what its client sees',
  async (t) => {
    const name = { name: 'name', type: 'text', value: '', maxLength: 5 } as const;
    publish('repaired', {
      clock: { evergreen: '48h', per: '{{contact}}' },
      variables: [contact, name],
      layers: [{ ...frame, text: '{{countdown.totalSeconds}} {{name}} {{client}}' }],
      onError: 'image',
    });
    const init = { headers: { 'user-agent': 'Mozilla/5.0' } };
    await get('repaired?contact=ann', init);
    wallClock.nowMs += dayMs;
    const repaired = await get('repaired?contact=ann&name=TooLongName', init);
    t.equal(repaired.headers.get('x-render-error'), 'BAD_REQUEST');
    const { untilMs, client } = (await repaired.json()) as { untilMs: number; client: string };
    t.equal(untilMs - wallClock.nowMs, dayMs);
    t.equal(client, 'apple-mail-privacy');
  },
);

t.test('readers who differ when a countdown is over do not share its animation', async (t) => {
  const half = (question: object): object[] => [
    { variable: 'countdown.isOver', equals: 'true' },
    { variable: 'share', ...question },
  ];
  const layers = [
    { ...frame, text: '{{countdown.seconds}}' },
    { ...frame, id: 'a', text: 'A', visibleWhen: half({ lessThan: 50 }) },
    { ...frame, id: 'b', text: 'B', visibleWhen: half({ greaterThan: 49 }) },
  ] as Template['layers'];
  const clock = { until: '2026-11-30T18:00', zone: 'Europe/Berlin', per: '{{contact}}' };
  publish('later', { clock, variables: [contact], layers });
  wallClock.nowMs = Date.parse('2026-11-30T16:59:55Z');
  const tags = new Set<string | null>();
  for (let id = 0; id < 20; id += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { headers } = await get(`later.gif?contact=${id}&_frames=10`);
    tags.add(headers.get('etag'));
  }
  t.equal(tags.size, 2, 'each half has its file');
});
