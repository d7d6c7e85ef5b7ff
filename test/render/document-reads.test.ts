/** Large documents that are not in memory: an organization reads them in its share of the thread that answers. */
import { join } from 'node:path';
import t from 'tap';
import { DocumentReads } from '../../src/render/link/document-reads.ts';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';

/** More than may wait, of 40 KB each, and no more than a cache of pinned versions would keep. */
const versionsCount = 200;
const other = { uid: 'other', organization: 'org_other' };
const layers = [textLayer('Hello {{name}}')];
const variables = [textVariable('name', '')];

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), (shelf) => {
  const { db, organizations, publish } = shelf;
  organizations.createOrganization('Other', other.organization);
  publish(other.uid, { layers, variables }, other.organization);
  db.transaction(() => {
    const notes = Array.from({ length: 20 }, (_, index) =>
      textVariable(`note${index}`, 'x'.repeat(1900)),
    );
    for (let version = 1; version <= versionsCount; version += 1) {
      publish('large', { layers, variables: [...variables, ...notes], name: `${version}` });
    }
  })();
});
const service = await startService(t, { dataDirectory });
/** Of a program, which gets errors. */
const link = (version: number, headers = {}) =>
  service.get(`/v1/render/large.png?_version=${version}&name=${version}`, {
    headers,
    agent: false,
  });

t.test('an organization reads large documents one after the other', async (t) => {
  const versions = Array.from({ length: versionsCount }, (_, index) => index + 1);
  let answered = 0;
  const programs = versions.map(async (version) => {
    const { status, headers } = await link(version);
    answered += 1;
    return { status, retryAfter: headers['retry-after'] };
  });
  const { status } = await service.render(`${other.uid}.png?name=Amanda`);
  t.equal(status, 200, 'a link of another organization is answered');
  const waiting = versionsCount - answered;
  t.ok(waiting > versionsCount / 2, `while ${waiting} of these wait`);
  const answers = await Promise.all(programs);
  for (const { status: each } of answers) t.ok(each === 200 || each === 503, `${each}`);
  t.equal((await link(versionsCount)).status, 200, 'and later each of them is answered');
});

t.test(
  'too many documents of an organization that wait are refused, those of others are not',
  async (t) => {
    const templates = {
      findUnread: (uid: string) => ({ organizationUid: `of ${uid.slice(0, 1)}`, bytes: 200_000 }),
    };
    const reads = new DocumentReads(templates);
    const query = { parameters: [], isTruncated: false };
    const turns = Array.from({ length: 130 }, (_, index) => reads.turn(`a${index}`, query));
    const refused = turns
      .slice(128)
      .map((turn) => t.rejects(Promise.resolve(turn), { code: 'OVERLOADED', reason: 'share' }));
    await Promise.all([
      ...refused,
      t.resolves(Promise.resolve(turns[0])),
      t.resolves(Promise.resolve(reads.turn('b', query))),
    ]);
  },
);

t.test(
  'a reader is shown an image in any case, and all links to one document wait together',
  async (t) => {
    const fresh = await startService(t, { dataDirectory });
    const reader = { headers: { 'Sec-Fetch-Dest': 'image' }, agent: false as const };
    const shown = await Promise.all(
      Array.from({ length: versionsCount }, async (_, index) => {
        const path = `/v1/render/large.webp?_version=${index + 1}`;
        const { status, headers } = await fresh.get(path, reader);
        t.equal(headers['content-type'], 'image/webp');
        return status;
      }),
    );
    t.same(new Set(shown), new Set([200]), 'a reader is shown an image in any case');
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const path = `/v1/render/large.png?name=${index % 10}&_quality=100`;
        return (await fresh.get(path, { agent: false })).status;
      }),
    );
    t.same(new Set(answers), new Set([200]), 'none is refused');
  },
);
