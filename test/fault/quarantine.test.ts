/** Who is refused for lost renders: the document, an image of a link, a template's or an organization's images, all. */
import t from 'tap';
import type { RenderJob } from '#wire/render-job.ts';
import type { AppError } from '../../src/foundation/errors.ts';
import { createLog } from '../../src/foundation/log.ts';
import { RecentLosses, RenderLostError } from '../../src/scheduling/hosts/lost-render.ts';
import { Quarantine } from '../../src/scheduling/quarantine.ts';
import { createLostRenderStore } from '../../src/store/lost-render-store.ts';
import { orderJob } from '../fixtures/render-pool.ts';
import { createStores, publishSample } from '../store/store-fixture.ts';

const hourMs = 3_600_000;
const crash = new RenderLostError('crash', 'SIGSEGV');

/** A job with images, those of the caller by their digests. */
function jobOf(templateKey: string, ...digests: string[]): RenderJob {
  const images = digests.map((digest) => [digest, { digest }]) as unknown as RenderJob['images'];
  const subject = { template: 'card', version: 1, callerImages: () => digests };
  return { ...orderJob({}, images), templateKey, subject };
}

function start(nowMs?: () => number) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog((_, line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  const quarantine = new Quarantine(log, nowMs);
  const refusalOf = (job: RenderJob): AppError | undefined => quarantine.refusalOfJob(job);
  const lose = (count: number, jobOfIndex: (index: number) => RenderJob): void => {
    for (let index = 0; index < count; index += 1) quarantine.note(jobOfIndex(index), crash);
  };
  return { quarantine, lines, refusalOf, lose };
}

t.test('two losses within an hour refuse a version, and a preview as a bad request', async (t) => {
  let nowMs = 0;
  const { quarantine, lines, refusalOf, lose } = start(() => nowMs);
  const [card, preview] = [jobOf('org_a:card'), jobOf('org_a:preview:digest')];
  lose(1, () => card);
  nowMs = hourMs + 1;
  lose(1, () => card);
  t.equal(refusalOf(card), undefined, 'the first is forgotten');
  t.equal(quarantine.find('org_a:card'), undefined);
  lose(1, () => card);
  const message = /publish a new version or release the template/;
  t.match(refusalOf(card), { code: 'QUARANTINED', reason: 'quarantine', message });
  const since = new Date(nowMs).toISOString();
  t.same(quarantine.find('org_a:card'), { since, reason: 'crash' });
  t.match(lines.at(-1), {
    event: 'render lost',
    organization: 'org_a',
    template: 'card',
    version: 1,
    cause: 'crash',
    quarantined: true,
  });
  t.match(lines.at(-2), { quarantined: false });
  t.equal(refusalOf(jobOf('org_b:card')), undefined);
  lose(2, () => preview);
  t.match(refusalOf(preview), { code: 'BAD_REQUEST', reason: 'quarantine' });
  t.equal(quarantine.losses.get('crash'), 5);
  t.equal(quarantine.size, 2);
});

t.test('a process that a signal stopped counts against no document, image or organization', (t) => {
  const { quarantine, lines, refusalOf } = start();
  const stopped = new RenderLostError('stopped', 'SIGKILL');
  const jobs = [jobOf('org_a:card'), jobOf('org_a:card', 'image')];
  for (let index = 0; index < 100; index += 1)
    for (const job of jobs) quarantine.note(job, stopped);
  for (const job of jobs) t.equal(refusalOf(job), undefined);
  t.match(lines.at(-1), { event: 'render lost', cause: 'stopped', quarantined: false });
  t.equal(quarantine.losses.get('stopped'), 200);
  t.end();
});

t.test('a lost job of several rows refuses nothing: its rows are proved alone', async (t) => {
  const { quarantine, refusalOf, lose } = start();
  const proof = { fileBytesMax: 1, more: [[['name', 'Ann']]] };
  lose(2, () => ({ ...jobOf('org_a:rows'), proof }) as unknown as RenderJob);
  t.equal(refusalOf(jobOf('org_a:rows')), undefined);
  t.equal(quarantine.losses.get('crash'), 2);
});

t.test('an image of a link is guilty of its losses, and neither the version nor others', (t) => {
  const { quarantine, refusalOf, lose } = start();
  lose(1, () => jobOf('org_a:card', 'fatal', 'beside'));
  t.equal(refusalOf(jobOf('org_a:card', 'fatal')), undefined, 'one loss is no proof');
  lose(1, () => jobOf('org_a:card', 'fatal', 'other'));
  for (const digests of [['fatal'], ['sound', 'fatal']]) {
    t.match(refusalOf(jobOf('org_a:card', ...digests)), { code: 'BAD_REQUEST' });
  }
  t.equal(quarantine.refusesImage('org_a:card', 'fatal'), true);
  for (const digests of [[], ['beside'], ['other'], ['sound']]) {
    t.equal(refusalOf(jobOf('org_a:card', ...digests)), undefined, digests.join(''));
  }
  t.equal(refusalOf(jobOf('org_b:card', 'fatal')), undefined, 'with another document');
  t.equal(quarantine.size, 0);
  t.end();
});

/** The key of one of some templates of an organization. */
const keyOf = (organization: string, index: number): string => `${organization}:card${index}`;

t.test('ever new images end five renders of a template and fifteen of an organization', (t) => {
  const { quarantine, lines, refusalOf, lose } = start();
  const fatal = (index: number, template = index): RenderJob =>
    jobOf(keyOf('org_a', template), `digest ${index}`);
  lose(4, (index) => fatal(index, 0));
  t.equal(refusalOf(fatal(99, 0)), undefined);
  t.match(lines.at(-1), { imagesRefused: false });
  lose(1, () => fatal(4, 0));
  t.match(lines.at(-1), { imagesRefused: true, images: 'digest 4' });
  const refusal = refusalOf(fatal(99, 0));
  t.match(refusal, { code: 'QUARANTINED', reason: 'caller-images', message: /images of links/ });
  const seconds = refusal?.retryAfterSeconds ?? 0;
  t.ok(seconds > 590 && seconds <= 600, `${seconds} s`);
  t.equal(refusalOf(jobOf(keyOf('org_a', 0))), undefined, 'links without an image are rendered');
  t.equal(refusalOf(fatal(99, 1)), undefined, 'and other templates');
  lose(9, (index) => fatal(5 + index, 1 + index));
  t.equal(refusalOf(fatal(99, 99)), undefined, 'fourteen');
  lose(1, () => fatal(14));
  t.match(refusalOf(fatal(99, 99)), { code: 'QUARANTINED', reason: 'caller-images' });
  t.equal(refusalOf(jobOf(keyOf('org_a', 99))), undefined);
  t.equal(refusalOf(jobOf(keyOf('org_b', 0), 'digest')), undefined, 'other organizations');
  t.equal(quarantine.size, 0, 'no version is in quarantine');
  t.end();
});

t.test('ever new documents end forty renders, and only another organization goes on', async (t) => {
  const { refusalOf, lose } = start();
  const preview = (index: number): RenderJob => jobOf(`org_a:preview:${index}`);
  lose(39, preview);
  t.equal(refusalOf(preview(99)), undefined);
  lose(1, preview);
  t.match(refusalOf(preview(99)), { code: 'QUARANTINED', reason: 'renders' });
  t.match(refusalOf(jobOf('org_a:card')), { code: 'QUARANTINED', reason: 'renders' });
  t.equal(refusalOf(jobOf('org_b:card')), undefined);
});

t.test('losses count for the window and no longer', async (t) => {
  let nowMs = 0;
  const losses = new RecentLosses(1000, () => nowMs);
  t.equal(losses.msUntilBelow(1, 'a'), 0);
  losses.add('a');
  nowMs = 400;
  losses.add('a');
  const waits = (): number[] => [1, 2, 3].map((count) => losses.msUntilBelow(count, 'a'));
  t.same(waits(), [1000, 600, 0], 'until the older one is past');
  t.equal(losses.msUntilBelow(1, 'b'), 0);
  nowMs = 1000;
  t.same(waits(), [400, 0, 0]);
  nowMs = 1400;
  t.same(waits(), [0, 0, 0]);
});

t.test('a quarantine is known to all processes on the database until it is released', async (t) => {
  const stores = createStores(t);
  stores.organizations.createOrganization('B', 'org_b');
  const store = createLostRenderStore(stores.db);
  const [first, second] = [start(), start()];
  for (const { quarantine } of [first, second]) {
    quarantine.attach(store);
    t.teardown(() => quarantine.close());
  }
  for (const uid of ['card', 'equal']) publishSample(stores, uid);
  publishSample(stores, 'foreign', {}, 'org_b');
  const keys = ['card', 'equal', 'foreign'].map(
    (uid) => stores.templates.findPublished(uid)?.templateKey ?? '',
  );
  const [key = '', equalKey, foreignKey = ''] = keys;
  t.equal(key, equalKey, 'equal documents of one organization are one');
  first.lose(2, () => jobOf(key));
  const { subject: _, ...preview } = jobOf('org_a:preview:digest');
  first.lose(2, () => preview);
  const subject = { template: 'foreign', version: 1 };
  first.lose(2, () => ({ ...jobOf(foreignKey), subject }));
  while (store.list().filter(({ losses }) => losses === 2).length < 2)
    await new Promise(setImmediate);
  second.quarantine.refresh();
  t.match(second.refusalOf(jobOf(key)), { code: 'QUARANTINED' });
  t.match(second.quarantine.find(key), { reason: 'crash' });
  await second.quarantine.release('org_a', 'equal');
  first.quarantine.refresh();
  for (const { refusalOf } of [first, second]) t.equal(refusalOf(jobOf(key)), undefined);
  t.match(first.refusalOf(preview), { code: 'BAD_REQUEST' }, 'it has no version to release');
  t.match(first.refusalOf(jobOf(foreignKey)), { code: 'QUARANTINED' });
  first.lose(1, () => jobOf(key));
  t.equal(first.refusalOf(jobOf(key)), undefined, 'and its losses count from the beginning');
});
