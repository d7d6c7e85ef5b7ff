/** A service that dies in the middle of its work: what it has acknowledged is there, and what is over stays over. */
import { join } from 'node:path';
import t from 'tap';
import { openAsItIs } from '../../src/store/database/database.ts';
import {
  fillDataDirectory,
  testDocument,
  testOrganization,
  textLayer,
  textVariable,
} from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';

const hourMs = 3_600_000;
const headers = { 'X-API-Key': testOrganization.key, 'Content-Type': 'application/json' };
const reader = { headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)' } };
const deadline = new Date(Date.now() + 46 * hourMs).toISOString();
const sale = `sale.png?deadline=${encodeURIComponent(deadline)}`;

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('evergreen', {
    clock: { evergreen: '48h', per: '{{contact}}' },
    variables: [textVariable('contact', '')],
    layers: [textLayer('{{countdown.totalHours}} hours')],
  });
  const shownWhen = (id: string, equals: string) =>
    textLayer(id, { id, visibleWhen: { variable: 'countdown.isOver', equals } });
  publish('sale', {
    clock: { until: '{{deadline}}' },
    variables: [textVariable('deadline', '2999-12-31')],
    layers: [shownWhen('sale', 'false'), shownWhen('over', 'true')],
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

/** What an image says; asking for it opens nothing. */
async function said(service: Service, uid: string, values: object): Promise<string> {
  const body = JSON.stringify({ values, response: 'base64' });
  const answer = await service.render(uid, { method: 'POST', headers, body });
  return (answer.json() as { alt: string }).alt;
}

/** What the service has said to be stored. */
interface Acknowledged {
  contacts: string[];
  draft: number;
  version: number;
}

/** Opens countdowns, and saves and publishes drafts, until the service is gone. */
async function workUntilKilled(service: Service): Promise<Acknowledged> {
  const acknowledged: Acknowledged = { contacts: [], draft: 0, version: 0 };
  let next = 0;
  const open = async (): Promise<never> => {
    for (;;) {
      const contact = `contact-${(next += 1)}`;
      const { status } = await service.render(`evergreen?contact=${contact}`, reader);
      if (status === 200) acknowledged.contacts.push(contact);
    }
  };
  const write = async (): Promise<never> => {
    for (let draft = 1; ; draft += 1) {
      const body = JSON.stringify(testDocument({ name: String(draft) }));
      const saved = await service.get('/v1/templates/card', { method: 'PUT', headers, body });
      if (saved.status === 200) acknowledged.draft = draft;
      const published = await service.get('/v1/templates/card/publish', {
        method: 'POST',
        headers,
        body: '{}',
      });
      if (published.status === 200)
        acknowledged.version = (published.json() as { version: number }).version;
      if (acknowledged.version > 4 && acknowledged.contacts.length >= 20)
        service.process.kill('SIGSEGV');
    }
  };
  const ends = await Promise.allSettled([open(), open(), open(), open(), write()]);
  for (const end of ends) if (end.status === 'rejected') t.match(String(end.reason), gone);
  return acknowledged;
}

const gone = /ECONN|socket|cut off/i;

t.test('what a killed service has acknowledged is there after it', async (t) => {
  const first = await startAt(0);
  const created = await first.get('/v1/templates?uid=card', {
    method: 'POST',
    headers,
    body: JSON.stringify(testDocument()),
  });
  t.equal(created.status, 201);
  const before = await first.render(sale, reader);
  t.match(before.headers['cache-control'], /^public, max-age=300$/);
  t.equal(await said(first, 'sale', { deadline }), 'sale');
  const { contacts, draft, version } = await workUntilKilled(first);
  const end = await first.process.ended;
  t.same(end, { code: null, signal: 'SIGSEGV' }, 'no handler keeps it alive');

  const second = await startAt(47);
  const stored = await second.get('/v1/templates/card/document', { headers });
  t.ok(Number((stored.json() as { name: string }).name) >= draft, 'the last draft');
  t.equal((await second.render(`card?_version=${version}`)).status, 200, 'and version');
  const db = openAsItIs(join(dataDirectory, 'platen.db'));
  t.equal(db.pragma('integrity_check', { simple: true }), 'ok');
  db.close();
  for (const contact of contacts) {
    t.match(await said(second, 'evergreen', { contact }), /^(0|1) hours$/, contact);
  }
  t.equal(await said(second, 'evergreen', { contact: 'new' }), '48 hours');

  // The deadline has passed while no service ran.
  const after = await second.render(sale, reader);
  t.match(after.headers['cache-control'], /^public, max-age=300, stale-while-revalidate/);
  t.equal(await said(second, 'sale', { deadline }), 'over');
  const known = { ...reader.headers, 'if-none-match': before.headers['etag'] ?? '' };
  const asked = await second.render(sale, { headers: known });
  t.equal(asked.status, 200, 'no 304 for what was counting');
  t.notMatch(second.process.stderr, /"level":"error"/);
  second.process.kill('SIGKILL');
  await second.process.ended;

  const third = await startAt(49);
  t.equal(await said(third, 'evergreen', { contact: contacts[0] }), '0 hours');
});
