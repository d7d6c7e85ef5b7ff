/** The test of a fleet under load: a program of its own, so that it can run in a network of its own. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { clockAhead, startFleet } from './fleet.ts';
import type { FleetNode } from './fleet.ts';
import { demoKey } from './service.ts';

/** The argument of this program. */
const linksCount = Number(process.argv[2] ?? 600);
const callersCount = 8;
/** Of a caller between two requests, while nodes start on the same cores. */
const restMs = 5;

t.testdir();
// The clock of one node is five minutes ahead, all the time.
const fleet = await startFleet(t, (name) => (name === 'c' ? clockAhead : undefined));
const { nodes } = fleet;

/** A request and what came of it. */
interface Asked {
  path: string;
  /** Of the node and its cache; absent while it is in flight, and when it failed. */
  node?: string;
  cache?: string;
  failure?: string;
  startedMs: number;
}

/** Asks for all `paths`, some at a time, until they are answered or `until` resolves; then paths start over. */
async function askAll(
  paths: readonly string[],
  until?: Promise<unknown>,
  onAsked: () => void = () => undefined,
): Promise<Asked[]> {
  const all: Asked[] = [];
  let isOver = false;
  void until?.then(() => (isOver = true));
  let next = 0;
  const call = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (until === undefined ? next < paths.length : !isOver) {
      const asked: Asked = { path: paths[next % paths.length] ?? '', startedMs: performance.now() };
      next += 1;
      all.push(asked);
      onAsked();
      try {
        const { status, node, cache } = await fleet.ask(asked.path, agent);
        if (status === 200) Object.assign(asked, { node, cache });
        else asked.failure = `status ${status}`;
      } catch (error) {
        asked.failure = String(error);
      }
      if (until !== undefined) await sleep(restMs);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: callersCount }, call));
  return all;
}

const failuresOf = (all: readonly Asked[]): string[] =>
  all.flatMap(({ failure, path }) => (failure === undefined ? [] : [`${path}: ${failure}`]));

const names = ['Amanda Castillo', 'Zoë O’Hara', 'Jean-Luc', '李小龍', 'محمد علي', 'Ольга Иванова'];
const campaign = Array.from({ length: linksCount }, (_, index) => {
  const name = `${names[index % names.length]} ${index}`;
  return `/v1/render/hello?name=${encodeURIComponent(name)}&_scale=1`;
});
/** The node of each link of the campaign, by path. */
const nodeOf = new Map<string, string>();
const linksOf = ({ name }: FleetNode): string[] =>
  campaign.filter((path) => nodeOf.get(path) === name);

const [a, b, c] = nodes as [FleetNode, FleetNode, FleetNode];

t.test('links of a campaign are drawn once in the fleet', async (t) => {
  const before = await fleet.renders();
  const first = await askAll(campaign);
  t.same(failuresOf(first), []);
  for (const { path, node = '' } of first) nodeOf.set(path, node);
  // Readers follow the image proxies, some of them with what others append to links, or in a spelling of their own.
  const again = await askAll([
    ...campaign.toReversed(),
    ...campaign.map((path, index) => `${path}&utm_source=letter&mc_eid=${index}`),
    ...campaign.map((path) => path.replace(/(name=.*)&(_scale=1)/, '$2&$1').replaceAll('%20', '+')),
  ]);
  t.same(failuresOf(again), []);
  const drawn = (await fleet.renders()) - before;
  t.comment(`${drawn} renders of ${linksCount} links, ${first.length + again.length} requests`);
  t.ok(drawn / linksCount <= 1.01, `${drawn} renders of ${linksCount} links`);
  const shares = nodes.map((node) => linksOf(node).length);
  t.comment(`links of each node: ${shares.join(', ')}`);
  t.ok(Math.min(...shares) > linksCount / 5, 'each node has its share');
});

t.test('a killed node loses what is in flight on it, and its share alone moves', async (t) => {
  const lost = linksOf(b);
  const down = Promise.withResolvers<void>();
  let count = 0;
  const load = askAll(campaign, down.promise, () => {
    count += 1;
    if (count !== linksCount) return;
    b.process.kill('SIGKILL');
    void b.process.ended.then(() => fleet.becomes(b, 'DOWN')).then(down.resolve);
  });
  await b.process.ended;
  const endedMs = performance.now();
  const all = await load;
  const failed = all.filter(({ failure }) => failure !== undefined);
  t.comment(`${failed.length} of ${all.length} requests failed`);
  // While the kernel closes its sockets one after the other, it still takes requests.
  for (const { path, startedMs } of failed) {
    t.ok(startedMs <= endedMs, `${path} was sent before the node had ended`);
    t.equal(nodeOf.get(path), b.name, `${path} was sent to it`);
  }
  const others = all.filter(({ path }) => nodeOf.get(path) !== b.name);
  t.ok(
    others.every(({ cache }) => cache === 'hit'),
    'links of the other nodes stay hits',
  );
  t.ok(
    others.every(({ path, node }) => node === nodeOf.get(path)),
    'and stay where they are',
  );

  const moved = await askAll(lost);
  t.same(failuresOf(moved), []);
  t.same(new Set(moved.map(({ node }) => node)), new Set([a.name, c.name]), 'both have a part');
  t.comment(`share that moved: ${(lost.length / linksCount).toFixed(3)}, predicted 0.333`);
  await b.start();
  await fleet.becomes(b, 'UP');
  const back = await askAll(lost);
  t.same(failuresOf(back), []);
  t.same(new Set(back.map(({ node }) => node)), new Set([b.name]), 'it comes back');
});

t.test('no request fails while all nodes restart one after the other', async (t) => {
  const over = Promise.withResolvers<void>();
  const paths = campaign.map((path, index) =>
    index % 8 === 0 ? `/v1/render/hello?name=N${index}` : path,
  );
  const load = askAll(paths, over.promise);
  for (const node of nodes) {
    node.process.kill('SIGTERM');
    t.same(await node.process.ended, { code: 0, signal: null });
    await node.start();
    await fleet.becomes(node, 'UP');
  }
  over.resolve();
  const all = await load;
  t.same(failuresOf(all), []);
  t.comment(`${all.length} requests over three restarts`);
});

t.test('a node that was cut off comes back with what it has', async (t) => {
  t.same(failuresOf(await askAll(campaign)), []);
  const down = Promise.withResolvers<void>();
  const load = askAll(campaign, down.promise);
  b.machine.cutOff();
  await fleet.becomes(b, 'DOWN');
  const downMs = performance.now();
  const after = await askAll(campaign);
  t.same(failuresOf(after), [], 'once it is found, no request fails');
  const others = after.filter(({ path }) => nodeOf.get(path) !== b.name);
  t.ok(
    others.every(({ cache }) => cache === 'hit'),
    'links of the other nodes stay hits',
  );
  down.resolve();
  b.machine.plugIn();
  await fleet.becomes(b, 'UP');
  const all = await load;
  const failed = all.filter(({ failure }) => failure !== undefined);
  t.comment(`${failed.length} of ${all.length} requests failed before it was found`);
  for (const { path, startedMs } of failed) {
    t.equal(nodeOf.get(path), b.name, path);
    t.ok(startedMs <= downMs);
  }
  const back = await askAll(linksOf(b));
  t.ok(
    back.every(({ node, cache }) => node === b.name && cache === 'hit'),
    'as hits',
  );
});

const needsClock = clockAhead === undefined ? { skip: 'needs the package faketime' } : {};
t.test('a clock that is ahead ends signed links early, and nothing else', needsClock, async (t) => {
  const sample = join(import.meta.dirname, '../../data/templates/hello.json');
  const document = { ...(JSON.parse(readFileSync(sample, 'utf8')) as object), linkAuth: 'signed' };
  const statuses = await Promise.all(
    [a, c].map(async ({ base }) => {
      const call = async (path: string, body = ''): Promise<unknown> => {
        const headers = { 'X-API-Key': demoKey };
        const answer = await fetch(base + path, { method: 'POST', headers, body });
        if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
        return answer.json();
      };
      await call('/v1/templates?uid=closed', JSON.stringify(document));
      await call('/v1/templates/closed/publish');
      const { key } = (await call('/v1/templates/closed/signing-keys')) as { key: string };
      const signed = `/v1/render/closed?name=Amanda&_expires=${Math.floor(Date.now() / 1000) + 120}`;
      const signature = createHmac('sha256', key).update(signed).digest('hex');
      return (await fetch(`${base}${signed}&_signature=${signature}`)).status;
    }),
  );
  t.same(statuses, [200, 401]);
});
