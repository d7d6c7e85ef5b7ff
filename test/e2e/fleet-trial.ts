/** The test of a fleet under load: a program of its own, so that it can run in a network of its own. */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { startFleet } from './fleet.ts';
import type { FleetNode } from './fleet.ts';

/** The argument of this program. */
const linksCount = Number(process.argv[2] ?? 600);
const callersCount = 8;
/** Of a caller between two requests, while nodes start on the same cores. */
const restMs = 5;

t.testdir();
const fleet = await startFleet(t);
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

const areHits = (all: readonly Asked[]): boolean => all.every(({ cache }) => cache === 'hit');
/** The nodes that have answered. */
const nodesOf = (all: readonly Asked[]): string[] =>
  [...new Set(all.map(({ node = '' }) => node))].toSorted();

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
  t.ok(areHits(others), 'links of the other nodes stay hits');
  t.ok(
    others.every(({ path, node }) => node === nodeOf.get(path)),
    'and stay where they are',
  );

  const moved = await askAll(lost);
  t.same(failuresOf(moved), []);
  t.same(nodesOf(moved), [a.name, c.name], 'both have a part');
  t.comment(`share that moved: ${(lost.length / linksCount).toFixed(3)}, predicted 0.333`);
  await b.start();
  await fleet.becomes(b, 'UP');
  const back = await askAll(lost);
  t.same(failuresOf(back), []);
  t.same(nodesOf(back), [b.name], 'it comes back');
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
  t.ok(areHits(others), 'links of the other nodes stay hits');
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
  t.same(nodesOf(back), [b.name]);
  t.ok(areHits(back), 'as hits');
});
