/** Countdowns of a service that is killed: what readers have seen goes on, and what is over stays over. */
import { join } from 'node:path';
import t from 'tap';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';

const hourMs = 3_600_000;
const reader = { headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)' } };
const soon = new Date(Date.now() + 36 * hourMs).toISOString();

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('evergreen', {
    clock: { evergreen: '48h', per: '{{contact}}' },
    variables: [textVariable('contact', '')],
    layers: [textLayer('{{countdown.totalHours}} hours')],
  });
  publish('sale', {
    clock: { until: '{{deadline}}' },
    variables: [textVariable('deadline', '2999-12-31')],
    layers: [
      textLayer('sale', { visibleWhen: { variable: 'countdown.isOver', equals: 'false' } }),
      textLayer('over', {
        id: 'over',
        visibleWhen: { variable: 'countdown.isOver', equals: 'true' },
      }),
    ],
  });
});

/** Starts the service with a clock that is so many hours ahead. */
function startAt(hours: number): Promise<Service> {
  const module = `const now = Date.now; Date.now = () => now() + ${hours * hourMs};`;
  const environment = {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}`,
  };
  return startService(t, { dataDirectory, environment });
}

async function killed(service: Service): Promise<void> {
  service.process.kill('SIGKILL');
  await service.process.ended;
}

/** What an image says; asking for it opens nothing. */
async function said(
  service: Service,
  uid: string,
  values: Record<string, string>,
): Promise<string> {
  const answer = await service.render(uid, {
    method: 'POST',
    headers: { 'X-API-Key': testOrganization.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ values, response: 'base64' }),
  });
  return (JSON.parse(answer.text) as { alt: string }).alt;
}

t.test(
  'an evergreen countdown goes on after a kill, for each contact that was answered',
  async (t) => {
    const first = await startAt(0);
    const answered: string[] = [];
    let next = 0;
    const openUntilKilled = async (): Promise<void> => {
      while (next < 10_000) {
        const contact = `contact-${(next += 1)}`;
        const answer = await first
          .render(`evergreen?contact=${contact}`, reader)
          .catch(() => undefined);
        if (answer?.status !== 200) return;
        answered.push(contact);
        if (answered.length === 40) first.process.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 8 }, openUntilKilled));
    await first.process.ended;
    t.ok(answered.length >= 40 && next < 10_000, `${answered.length} were answered`);

    const second = await startAt(47);
    for (const contact of answered) {
      t.match(await said(second, 'evergreen', { contact }), /^(0|1) hours$/, contact);
    }
    t.equal(await said(second, 'evergreen', { contact: 'new' }), '48 hours');
    await second.render('evergreen?contact=new', reader);
    await killed(second);

    const third = await startAt(49);
    t.equal(await said(third, 'evergreen', { contact: answered[0] ?? '' }), '0 hours');
    t.match(await said(third, 'evergreen', { contact: 'new' }), /^4[56] hours$/);
    await killed(third);
  },
);

t.test('a countdown that ends while the service is down is over when it is back', async (t) => {
  const link = `sale.png?deadline=${encodeURIComponent(soon)}`;
  const first = await startAt(0);
  const before = await first.render(link, reader);
  t.match(before.headers['cache-control'], /^public, max-age=300$/);
  t.equal(await said(first, 'sale', { deadline: soon }), 'sale');
  await killed(first);
  const second = await startAt(36);
  const after = await second.render(link, reader);
  t.match(after.headers['cache-control'], /^public, max-age=300, stale-while-revalidate/);
  t.not(after.headers['etag'], before.headers['etag']);
  t.equal(await said(second, 'sale', { deadline: soon }), 'over');
  const asked = { headers: { ...reader.headers, 'if-none-match': before.headers['etag'] ?? '' } };
  t.equal((await second.render(link, asked)).status, 200, 'no 304 for what was counting');
});
