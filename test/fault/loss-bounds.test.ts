/** Links and documents that differ each time and end render processes each time: how many they end, and what is refused then. */
import sharp from 'sharp';
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Variable } from '#language/schema/template.ts';
import { RecentLosses } from '../../src/scheduling/processes/lost-render.ts';
import { onlyFull } from '../helpers/extent.ts';
import { orderJob, startPool, within } from '../fixtures/render-pool.ts';
import { startService } from '../fixtures/render-service.ts';
import type { TestService } from '../fixtures/render-service.ts';

const [fatalWidthPx, soundWidthPx] = [13, 8];
const templateLossesMax = 5;
const organizationImageLossesMax = 15;
const organizationLossesMax = 40;

/** A PNG unlike the others, as a data URL. */
async function imageUrl(width: number, index: number): Promise<string> {
  const background = { r: index % 256, g: Math.floor(index / 256), b: 99 };
  const png = sharp({ create: { width, height: 8, channels: 3, background } }).png();
  return `data:image/png;base64,${(await png.toBuffer()).toString('base64')}`;
}

let images = 0;

/** A link with an image that no link had before. */
async function photoLink(uid: string, width: number): Promise<string> {
  images += 1;
  return `${uid}?name=Ada&photo=${encodeURIComponent(await imageUrl(width, images))}`;
}

const layers: Layer[] = [
  { id: 'photo', type: 'image', x: 0, y: 0, width: 10, height: 10, src: '{{photo}}' },
];
const variables: Variable[] = [
  { name: 'photo', type: 'image', value: '' },
  { name: 'name', type: 'text', value: '' },
];
const card = { variables, layers };
const fatal = { exitsForWidthPx: fatalWidthPx };

async function statusesOf(
  { get }: TestService,
  links: number,
  linkOf: (index: number) => Promise<string>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < links; index += 1) {
    statuses.push((await get(await linkOf(index))).status);
  }
  return statuses;
}

const times = (count: number, status: number): number[] => Array<number>(count).fill(status);

t.test('a reader with a new fatal image each time ends five renders of a template', async (t) => {
  const pool = await startPool(t, { processCount: 2, queueMax: 100 });
  const service = await startService(t, { pool, timeoutMs: 20_000 });
  const { get, publish } = service;
  publish('card', card, fatal);
  publish('covered', { ...card, width: 301, onImageError: 'default' }, fatal);
  publish('text', { variables: [{ name: 'name', type: 'text', value: '' }] });
  publish('second', { ...card, width: 302 }, fatal);
  service.stores.organizations.createOrganization('Other', 'org_b');
  publish('foreign', card, fatal, 'org_b');
  const attack = await statusesOf(service, 12, () => photoLink('card', fatalWidthPx));
  t.same(attack, [...times(templateLossesMax, 500), ...times(12 - templateLossesMax, 503)]);
  t.equal(pool.processFailures, templateLossesMax);

  const refused = await get(await photoLink('card', soundWidthPx));
  t.equal(refused.status, 503);
  t.match(await refused.json(), { error: { code: 'QUARANTINED', message: /images of links/ } });
  const seconds = Number(refused.headers.get('retry-after'));
  t.ok(seconds > 500 && seconds <= 600, `${seconds} s`);
  const reader = { headers: { 'Sec-Fetch-Dest': 'image' } };
  const substitute = await get(await photoLink('card', fatalWidthPx), reader);
  t.equal(substitute.status, 200);
  t.match(
    await substitute.json(),
    {
      images: [],
      values: [
        ['photo', ''],
        ['name', 'Ada'],
      ],
    },
    'the name is the reader’s, the image the default',
  );
  t.equal((await get('card?name=Grace')).status, 200, 'links without an image are rendered');
  t.equal((await get('text?name=Grace')).status, 200, 'and templates without images');
  t.equal((await get(await photoLink('second', soundWidthPx))).status, 200, 'and other templates');
  t.equal(
    (await get(await photoLink('foreign', soundWidthPx))).status,
    200,
    'and other organizations',
  );
  t.equal(pool.quarantine.size, 0, 'no version is in quarantine');
  t.equal(pool.processFailures, templateLossesMax, 'a refusal touches no process');

  const borne = await statusesOf(service, 8, () => photoLink('covered', fatalWidthPx));
  t.same(borne, [...times(templateLossesMax, 500), ...times(3, 200)], 'then drawn as the default');
});

t.test('fifteen renders of an organization, through however many templates', async (t) => {
  const pool = await startPool(t, { processCount: 2, queueMax: 100 });
  const service = await startService(t, { pool, timeoutMs: 20_000 });
  for (let index = 0; index < 8; index += 1) {
    service.publish(`card${index}`, { ...card, width: 300 + index }, fatal);
  }
  service.publish('text', { variables: [{ name: 'name', type: 'text', value: '' }] });
  service.stores.organizations.createOrganization('Other', 'org_b');
  service.publish('foreign', card, fatal, 'org_b');
  const attack = await statusesOf(service, 32, (index) =>
    photoLink(`card${index % 8}`, fatalWidthPx),
  );
  t.same(attack.filter((status) => status === 500).length, organizationImageLossesMax);
  t.equal(pool.processFailures, organizationImageLossesMax);
  t.equal((await service.get('text?name=Ada')).status, 200);
  t.equal((await service.get('card7?name=Ada')).status, 200);
  t.equal((await service.get(await photoLink('foreign', soundWidthPx))).status, 200);
});

t.test(
  'a new fatal document each time: forty, then another organization alone is rendered',
  { skip: onlyFull },
  async (t) => {
    const pool = await startPool(t, { processCount: 2, queueMax: 100 });
    const codes: string[] = [];
    for (let index = 0; index < organizationLossesMax + 5; index += 1) {
      const templateKey = `org_a:preview:${index}`;
      const job = { ...orderJob({ exits: true }), templateKey };
      await pool
        .run(job, within(20_000))
        .catch((error: { code: string }) => codes.push(error.code));
    }
    t.same(codes, [
      ...Array<string>(organizationLossesMax).fill('INTERNAL'),
      ...Array<string>(5).fill('QUARANTINED'),
    ]);
    t.equal(pool.processFailures, organizationLossesMax);
    const foreign = { ...orderJob({}), templateKey: 'org_b:other' };
    t.match(await pool.run(foreign, within(20_000)), { outcome: { ok: true } });
  },
);

t.test('queued renders with refused images end no process', async (t) => {
  const pool = await startPool(t, { queueMax: 100 });
  const service = await startService(t, { pool, timeoutMs: 20_000 });
  service.publish('card', card, fatal);
  const links = await Promise.all(
    Array.from({ length: 12 }, () => photoLink('card', fatalWidthPx)),
  );
  const answers = await Promise.all(links.map((link) => service.get(link)));
  const lost = answers.filter(({ status }) => status === 500);
  t.equal(lost.length, templateLossesMax);
  t.equal(pool.processFailures, templateLossesMax);
});

t.test('losses count for the window and no longer', (t) => {
  let nowMs = 0;
  const losses = new RecentLosses(1000, () => nowMs);
  t.equal(losses.msUntilBelow(1, 'a'), 0);
  losses.add('a');
  nowMs = 400;
  losses.add('a');
  t.equal(losses.msUntilBelow(3, 'a'), 0);
  t.equal(losses.msUntilBelow(2, 'a'), 600, 'until the older one is past');
  t.equal(losses.msUntilBelow(1, 'a'), 1000);
  t.equal(losses.msUntilBelow(1, 'b'), 0);
  nowMs = 1000;
  t.equal(losses.msUntilBelow(2, 'a'), 0);
  nowMs = 1400;
  t.equal(losses.msUntilBelow(1, 'a'), 0);
  t.end();
});
