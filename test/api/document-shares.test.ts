/** How the thread that answers is shared between organizations whose documents it checks and whose lists it makes. */
import t from 'tap';
import { request } from '../e2e/request.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { sampleDocument } from '../store/store-fixture.ts';

const { base, key, otherKey, service } = await startOrganizationApi(t, await sharePool());
const port = Number(new URL(base).port);

const names = Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(36, 'q'));
const wrong = names.slice(0, 20).map((name) => [name.replace('q', 'x'), '1'] as const);

/** Finding what was meant by its wrong names takes some 10 ms of CPU time, and then it is refused. */
const heavy = JSON.stringify({
  template: sampleDocument({
    variables: names.map((name) => ({ name, type: 'text', value: '' })),
    animation: { type: 'values', frames: [{ seconds: 1, values: Object.fromEntries(wrong) }] },
  }),
});

function preview(apiKey: string, body: string, signal?: AbortSignal) {
  return request(port, '/v1/preview', {
    method: 'POST',
    headers: { 'X-API-Key': apiKey },
    body,
    agent: false,
    ...(signal === undefined ? {} : { signal }),
  });
}

t.test('one organization with many heavy documents delays no other', async (t) => {
  const leaving = new AbortController();
  // More than may wait for a turn of the event loop, however fast the machine is.
  const answers = Array.from({ length: 320 }, async () => {
    const { status, headers } = await preview(key, heavy, leaving.signal);
    return { status, retryAfter: headers['retry-after'] };
  });
  let answered = 0;
  for (const answer of answers) {
    answer.then(
      () => (answered += 1),
      () => undefined,
    );
  }
  // The first refusal for want of a slot: from here on the organization's documents wait.
  const refusal = await Promise.any(
    answers.map(async (answer) => {
      const { status, retryAfter } = await answer;
      if (status !== 503) throw new Error('another answer');
      return retryAfter;
    }),
  );
  t.ok(Number(refusal) > 0, 'what is too much has a time to come back');
  const other = await preview(otherKey, '{"template":{}}');
  t.equal(other.status, 400, 'the document of another organization is checked');
  const waiting = answers.length - answered;
  t.ok(waiting > 0, `and ${waiting} of the first still wait`);
  leaving.abort();
  await Promise.allSettled(answers);
});

t.test('one organization with many long lists delays no other', async (t) => {
  const { templates } = service.stores;
  const original = { ...templates };
  const made = { org_a: 0, org_b: 0 };
  templates.listTemplates = (organizationUid, ...rest) => {
    made[organizationUid as keyof typeof made] += 1;
    const endMs = performance.now() + (organizationUid === 'org_a' ? 10 : 0);
    while (performance.now() < endMs);
    return original.listTemplates(organizationUid, ...rest);
  };
  t.teardown(() => Object.assign(templates, original));
  const leaving = new AbortController();
  const path = '/v1/templates';
  const getOther = () => request(port, path, { headers: { 'X-API-Key': otherKey } });
  // Its connection stays, so that the next request does not wait behind 200 new ones.
  t.equal((await getOther()).status, 404, 'it has no templates');
  const sent = 200;
  const answers = Array.from({ length: sent }, async () => {
    const headers = { 'X-API-Key': key };
    return (await request(port, path, { headers, agent: false, signal: leaving.signal })).status;
  });
  await Promise.any(answers);
  const before = made.org_a;
  await getOther();
  t.equal(made.org_b, 2);
  const between = made.org_a - before;
  t.ok(between < sent / 4, `after ${between} of ${sent}`);
  leaving.abort();
  for (const answer of await Promise.allSettled(answers)) {
    if (answer.status === 'fulfilled') t.ok([404, 503].includes(answer.value));
  }
});
