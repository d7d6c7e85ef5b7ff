import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { serveRenders } from '../fixtures/render-service.ts';
import { changeAccess } from '../store/store-fixture.ts';

const pool = await sharePool();

/** That of the service, too, which shares this process. */
const wallClock = { nowMs: Date.parse('2026-11-25T15:30:50Z') };
const realNow = Date.now;
Date.now = () => wallClock.nowMs;
t.teardown(() => (Date.now = realNow));
const setTime = (time: string): void => {
  wallClock.nowMs = Date.parse(time);
};

const { get, publish, stores } = await serveRenders(t, { pool });

const frame = { id: 'text', type: 'text', x: 0, y: 0, width: 100, height: 50 } as const;
const deadline = { name: 'deadline', type: 'text', value: 'friday 18:00' } as const;
const contact = { name: 'contact', type: 'text', value: '' } as const;
const clock = { until: '{{deadline}}', zone: 'Europe/Berlin' };

function live(text: string, changes: Partial<Template> = {}): Partial<Template> {
  return { clock, variables: [deadline, contact], layers: [{ ...frame, text }], ...changes };
}

interface Answer {
  status: number;
  caching: string | null;
  etag: string | null;
  vary: string | null;
  /** What the render host got. */
  job: { untilMs?: number; timeMs?: number; client?: string; share?: number; message?: string };
}

async function ask(target: string, init?: RequestInit): Promise<Answer> {
  const response = await get(target, init);
  const text = await response.text();
  return {
    status: response.status,
    caching: response.headers.get('cache-control'),
    etag: response.headers.get('etag'),
    vary: response.headers.get('vary'),
    job: (text === '' ? {} : JSON.parse(text)) as Answer['job'],
  };
}

t.test('a countdown is cached until the part that it shows changes, to the second', async (t) => {
  publish('seconds', live('{{countdown.seconds}}'));
  publish('minutes', live('{{countdown.hours}}:{{countdown.minutes}}'));
  publish('days', live('{{countdown.days}}', { maxAgeSeconds: 86_400 }));
  setTime('2026-11-25T15:30:50Z');
  t.equal((await ask('seconds')).caching, 'public, max-age=1');
  const minutes = await ask('minutes');
  t.equal(minutes.caching, 'public, max-age=11');
  t.equal(minutes.job.untilMs, Date.parse('2026-11-27T17:00:00Z'));
  t.equal((await ask('days')).caching, 'public, max-age=5351');
  setTime('2026-11-25T15:31:00.400Z');
  const last = await ask('minutes');
  t.equal(last.caching, 'public, max-age=0', 'less than a second');
  t.equal(last.etag, minutes.etag, 'the same image until then');
  setTime('2026-11-25T15:31:01Z');
  const next = await ask('minutes');
  t.equal(next.caching, 'public, max-age=60');
  t.not(next.etag, minutes.etag);
  const unchanged = await ask('minutes', { headers: { 'if-none-match': next.etag ?? '' } });
  t.same([unchanged.status, unchanged.caching], [304, 'public, max-age=60']);
  const pinned = await ask('minutes?_version=1');
  t.equal(pinned.caching, 'public, max-age=60', 'a pinned version counts, too');
});

t.test('a countdown that is over is cached as any image', async (t) => {
  setTime('2026-11-25T15:30:50Z');
  const link = 'seconds?deadline=2026-11-25T16:30:51';
  t.equal((await ask(link)).caching, 'public, max-age=1');
  setTime('2026-11-25T15:30:51Z');
  t.match((await ask(link)).caching, /^public, max-age=300, stale/);
  t.match((await ask('seconds?deadline=1999-01-01')).caching, /^public, max-age=300, stale/);
  t.equal((await ask('seconds?deadline=9999-12-31')).status, 200);
});

t.test('an image that depends on the client is for that client alone', async (t) => {
  const shown = { variable: 'client', equals: 'apple-mail-privacy' };
  publish('client', live('x', { layers: [{ ...frame, text: 'Ends Friday', visibleWhen: shown }] }));
  const agents = {
    'apple-mail-privacy': 'Mozilla/5.0',
    'gmail-proxy': 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)',
    'yahoo-proxy': 'YahooMailProxy; https://help.yahoo.com',
    other: 'curl/8.0',
  };
  const tags = new Map<string, string | null>();
  for (const [client, agent] of Object.entries(agents)) {
    const answer = await ask('client', { headers: { 'user-agent': agent } });
    t.match(answer.caching, /^private, /, client);
    t.equal(answer.vary, 'User-Agent');
    tags.set(client, answer.etag);
  }
  t.not(tags.get('apple-mail-privacy'), tags.get('other'));
  t.equal(tags.get('gmail-proxy'), tags.get('other'), 'the same image');
});

t.test('a contact has the same share in each render', async (t) => {
  const ofContact = { clock: { per: '{{contact}}' }, variables: [contact] };
  publish('share', { ...ofContact, layers: [{ ...frame, text: '{{share}}' }] });
  const shares = new Map<string, number | undefined>();
  for (const id of ['', ...Array.from({ length: 20 }, (_, index) => String(index))]) {
    shares.set(id, (await ask(`share?contact=${id}`)).job.share);
  }
  t.ok([...shares.values()].every((share = -1) => share >= 0 && share < 100));
  t.ok(new Set(shares.values()).size > 10, 'contacts differ');
  t.equal(shares.get(''), 0, 'without a contact');
  t.equal((await ask('share?contact=7&_scale=3')).job.share, shares.get('7'));
});

const evergreen = { evergreen: '48h', per: '{{contact}}' };
const hour = 3_600_000;

/** What an image counts: two contacts with as much time left have the same one. */
function left({ job: { timeMs = 0, untilMs = 0 } }: Answer): number {
  return untilMs - timeMs;
}

t.test('an evergreen countdown begins with the first open of a contact', async (t) => {
  publish('evergreen', live('{{countdown.totalSeconds}}', { clock: evergreen }));
  setTime('2026-11-25T15:30:50Z');
  const opened = await ask('evergreen?contact=ann@example.com');
  t.equal(left(opened), 48 * hour);
  setTime('2026-11-26T15:30:50Z');
  const later = await ask('evergreen?contact=ann@example.com');
  t.equal(left(later), 24 * hour);
  const other = await ask('evergreen?contact=bob@example.com');
  t.equal(left(other), 48 * hour);
  t.equal(other.etag, opened.etag, 'equal times left are one image');
  t.equal(stores.firstOpens.count('org_a', 'evergreen'), 2);
  const rows = stores.db.prepare('SELECT contact FROM first_opens').all();
  t.notMatch(JSON.stringify(rows), /ann/, 'a hash');
});

t.test('HEAD, link previews and links without a contact begin no countdown', async (t) => {
  const count = (): number => stores.firstOpens.count('org_a', 'evergreen');
  const before = count();
  t.equal((await ask('evergreen?contact=carl', { method: 'HEAD' })).status, 200);
  const preview = { headers: { 'user-agent': 'WhatsApp/2' } };
  t.equal(left(await ask('evergreen?contact=carl', preview)), 48 * hour);
  t.equal(left(await ask('evergreen')), 48 * hour);
  t.equal(left(await ask('evergreen?contact=%20')), 48 * hour);
  t.equal(count(), before);
});

t.test('another template stands for one whose countdown is over', async (t) => {
  const ending = { ...clock, atZero: { template: 'ended' } };
  publish('sale', live('{{countdown.days}}', { clock: ending }));
  setTime('2026-11-25T15:30:50Z');
  const link = 'sale?deadline=2026-11-25T16:31:00';
  const counting = await ask(link);
  t.equal(counting.caching, 'public, max-age=10');
  setTime('2026-11-25T15:31:00Z');
  t.equal((await ask(link)).status, 200, 'stays at zero while the other is not published');
  publish('ended', { ...live('over', {}), name: 'ended', clock: { zone: 'UTC' } });
  const ended = await get(link);
  t.match(ended.headers.get('content-disposition'), /"ended\.png"/);
  publish('sale', live('{{countdown.days}}', { clock: { ...ending, until: '2026-12-01' } }));
  const longer = await get(link);
  t.match(longer.headers.get('content-disposition'), /"sale\.png"/, 'the newest version counts');
  stores.organizations.createOrganization('B', 'org_b');
  publish('others', { name: 'others' }, undefined, 'org_b');
  changeAccess(stores, 'sale', { atZero: { template: 'others' } });
  const answer = await get(link);
  const shown = answer.headers.get('content-disposition');
  t.match(shown, /"sale\.png"/, 'never of another organization');
  publish('ended', live('x', { clock }));
  changeAccess(stores, 'ended', { atZero: { template: 'sale' } });
  changeAccess(stores, 'sale', { atZero: { template: 'ended' } });
  t.equal((await get(link)).status, 200, 'a circle ends');
});

t.test('a template that stands in leaves out what it refuses', async (t) => {
  const sizes = [{ name: 'story', width: 90, height: 160 }] as unknown as NonNullable<
    Template['sizes']
  >;
  const text = { name: 'seats', type: 'text', value: '' } as const;
  const number = { name: 'seats', type: 'number', value: '0' } as const;
  const ending = { ...clock, atZero: { template: 'gone' } };
  publish(
    'show',
    live('{{countdown.days}} {{seats}}', { clock: ending, sizes, variables: [deadline, text] }),
  );
  publish('gone', {
    ...live('over', { variables: [deadline, number] }),
    name: 'gone',
    linkOptions: ['format'],
  });
  setTime('2026-11-25T15:31:00Z');
  const values = 'deadline=2026-11-25T16:31:00&seats=few&_size=story&_scale=2&_lang=de';
  const counting = await ask(`show?${values.replace('16:31', '16:32')}`);
  t.equal(counting.status, 200);
  const over = await get(`show?${values}`);
  t.equal(over.status, 200);
  t.match(over.headers.get('content-disposition'), /"gone\.png"/);
  t.match(await over.json(), { scale: 1, values: [['deadline'], ['seats', '']] });
  publish('gone', { ...live('over'), name: 'gone', sizes });
  changeAccess(stores, 'gone', { linkOptions: ['format', 'scale', 'size'] });
  t.match(await (await get(`show?${values}`)).json(), { scale: 2 }, 'it takes what it has');
  const wrong = await get(`show?${values}&_quality=x`);
  t.equal(wrong.status, 400, 'a link that is wrong for its own template stays wrong');
});

t.test('a reader whose image fails gets the defaults with the deadline of the link', async (t) => {
  const order = { name: 'order', type: 'text', value: '' } as const;
  const layers = [{ ...frame, text: '{{countdown.hours}} {{order}} {{client}}' }];
  publish('fails', live('', { variables: [deadline, order], layers, onError: 'image' }));
  setTime('2026-11-25T15:30:50Z');
  const answer = { ok: false, code: 'TOO_EXPENSIVE', detail: 'takes too long' };
  const failing = encodeURIComponent(JSON.stringify({ answer }));
  const { status, job } = await ask(`fails?deadline=2026-11-26T12:00&order=${failing}`, {
    headers: { 'user-agent': 'Mozilla/5.0' },
  });
  t.equal(status, 200);
  t.equal(job.untilMs, Date.parse('2026-11-26T11:00:00Z'));
  t.equal(job.client, 'apple-mail-privacy');
});

t.test('the live values of an alt leave the lifetime of the image as it is', async (t) => {
  publish('said', live('Sale', { alt: 'ends in {{countdown.seconds}} s' }));
  setTime('2026-11-25T15:30:50Z');
  const first = await ask('said');
  t.match(first.caching, /^public, max-age=300\b/);
  setTime('2026-11-25T15:31:00Z');
  t.equal((await ask('said')).etag, first.etag);
});

t.test('readers who open in the same second share one animation', async (t) => {
  publish('clip', live('{{countdown.seconds}}', { clock: { ...clock, per: '{{contact}}' } }));
  const open = async (reader: string): Promise<{ etag: string | null; origin: string }> => {
    const { headers } = await get(`clip.gif?deadline=2026-11-27T18:00&contact=${reader}`);
    const [, origin = ''] = /cache;desc=(\w+)/.exec(headers.get('server-timing') ?? '') ?? [];
    return { etag: headers.get('etag'), origin };
  };
  setTime('2026-11-25T15:30:50Z');
  const opens = await Promise.all(['a', 'b', 'c', 'd'].map(open));
  t.equal(new Set(opens.map(({ etag }) => etag)).size, 1);
  t.equal(opens.filter(({ origin }) => origin === 'miss').length, 1, 'one is drawn');
  setTime('2026-11-25T15:30:50.999Z');
  t.equal((await open('e')).origin, 'hit', 'the end of the second');
  setTime('2026-11-25T15:30:51Z');
  const next = await open('f');
  t.equal(next.origin, 'miss');
  t.not(next.etag, opens[0]?.etag);
});

t.test('a repaired link shows the countdown of its contact and its client', async (t) => {
  publish('repaired', {
    clock: evergreen,
    variables: [contact, { name: 'name', type: 'text', value: '', maxLength: 5 }],
    layers: [{ ...frame, text: '{{countdown.totalSeconds}} {{name}} {{client}}' }],
    onError: 'image',
  });
  const init = { headers: { 'user-agent': 'Mozilla/5.0' } };
  await ask('repaired?contact=ann', init);
  wallClock.nowMs += 24 * hour;
  const repaired = await ask('repaired?contact=ann&name=TooLongName', init);
  t.match(repaired.caching, 'private, max-age=15');
  t.equal((repaired.job.untilMs ?? 0) - wallClock.nowMs, 24 * hour);
  t.equal(repaired.job.client, 'apple-mail-privacy');
});
