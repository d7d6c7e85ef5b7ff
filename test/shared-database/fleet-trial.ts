/** The test of a fleet of a shared database: a program of its own, so that it can run in a network of its own. */
import t from 'tap';
import type { Test } from 'tap';
import { clockAhead, startFleet } from '../e2e/fleet.ts';
import type { FleetNode } from '../e2e/fleet.ts';
import { demoKey, eventually } from '../e2e/service.ts';
import { startPostgresPair } from '../helpers/postgres-machines.ts';
import { cutApart, joinAgain } from '../helpers/private-machines.ts';

const linksCount = 150;
/** Writes before and after what happens to the database. */
const writesCount = 20;

t.testdir();
t.setTimeout(120_000);
const { primary, standby, url } = await startPostgresPair(t);
// The clock of one node is five minutes ahead: no lock or order of changes compares clocks.
const fleet = await startFleet(t, (name) => ({
  PLATEN_DATABASE_URL: url,
  ...(name === 'c' ? clockAhead : undefined),
}));
const { nodes } = fleet;
const [a, b, c] = nodes as [FleetNode, FleetNode, FleetNode];

/** The status of a call of the API; 0 without an answer. */
async function call(base: string, method: string, path: string, body?: object): Promise<number> {
  const headers = { 'X-API-Key': demoKey, 'Content-Type': 'application/json' };
  const json = body === undefined ? null : JSON.stringify(body);
  try {
    const answer = await fetch(`${base}/v1/templates${path}`, { method, headers, body: json });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

/** A template whose versions differ in their widths. */
const documentOf = (width: number): object => ({
  format: 1,
  name: 'Width',
  width,
  height: 9,
  variables: [],
  layers: [],
});

/** Publishes a version of the template `width`; resolves when that is acknowledged. */
async function publish(base: string, width: number): Promise<void> {
  const statuses = [
    await call(base, 'PUT', '/width', documentOf(width)),
    await call(base, 'POST', '/width/publish'),
  ];
  if (statuses.some((status) => status !== 200)) throw new Error(`Answered ${statuses.join()}.`);
}

/** The width of the template `width` as a node draws it, from the head of the PNG. */
async function widthOn({ base }: FleetNode): Promise<number> {
  const answer = await fetch(`${base}/v1/render/width.png`);
  return Buffer.from(await answer.arrayBuffer()).readUInt32BE(16);
}

/** What is not 200 of these links. */
async function failuresOf(base: string, paths: readonly string[]): Promise<string[]> {
  const failures: string[] = [];
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- as one reader after the other
    const answer = await fetch(base + path);
    // oxlint-disable-next-line no-await-in-loop
    await answer.arrayBuffer();
    if (answer.status !== 200) failures.push(`${path}: ${answer.status}`);
  }
  return failures;
}

const linksOf = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `/v1/render/hello?name=${letter}${index}`);

interface Load {
  /** Acknowledged templates. */
  stored: string[];
  /** Links that were not answered with their image. */
  failures: string[];
  /** Resolves when there are `writesCount` more. */
  goesOn: () => Promise<boolean>;
}

let number = 0;

/** Does `work` while templates are stored at `bases`, and links are opened through the proxy. */
async function underLoad(
  bases: readonly string[],
  work: (load: Load) => Promise<void>,
): Promise<Load> {
  const load: Load = {
    stored: [],
    failures: [],
    goesOn: () => {
      const before = load.stored.length;
      return eventually(() => load.stored.length >= before + writesCount);
    },
  };
  const over = new AbortController();
  const write = async (base: string): Promise<void> => {
    while (!over.signal.aborted) {
      number += 1;
      const uid = `write-${number}`;
      const status = await call(base, 'POST', `?uid=${uid}`, documentOf(9));
      if (status === 201) load.stored.push(uid);
    }
  };
  const read = async (): Promise<void> => {
    for (let count = 0; !over.signal.aborted; count += 1) {
      const letter = count % 8 === 0 ? `N${number}-` : 'R';
      const path = `/v1/render/hello?name=${letter}${count % linksCount}`;
      load.failures.push(...(await failuresOf(fleet.base, [path])));
    }
  };
  const loops = [...bases, ...bases].map(write);
  loops.push(read());
  try {
    await work(load);
  } finally {
    over.abort();
    await Promise.all(loops);
  }
  return load;
}

t.test('a change through the proxy is drawn by all nodes', async (t) => {
  t.equal(await call(fleet.base, 'POST', '?uid=width', documentOf(1)), 201);
  for (const width of [10, 11]) {
    await publish(fleet.base, width);
    const areSame = async (): Promise<boolean> =>
      (await Promise.all(nodes.map(widthOn))).every((each) => each === width);
    t.ok(await eventually(areSame), `version ${width}`);
  }
});

t.test('links of a campaign are drawn once in the fleet', async (t) => {
  const before = await fleet.renders();
  const campaign = linksOf('R', linksCount);
  const thrice = [campaign, campaign.toReversed(), campaign].map((paths) =>
    failuresOf(fleet.base, paths),
  );
  t.same((await Promise.all(thrice)).flat(), []);
  const drawn = (await fleet.renders()) - before;
  t.ok(drawn / linksCount <= 1.01, `${drawn} renders of ${linksCount} links`);
});

t.test('a node without the database draws what it knows, and catches up', async (t) => {
  let refused: Promise<number> | undefined;
  const { stored, failures } = await underLoad([a.base, c.base], async ({ goesOn }) => {
    t.ok(await goesOn());
    for (const { machine } of [primary, standby]) cutApart(b.machine, machine);
    refused = call(b.base, 'POST', '?uid=refused', documentOf(9));
    t.ok(await goesOn(), 'the others store');
    await publish(a.base, 12);
    t.ok(await eventually(async () => (await widthOn(c)) === 12), 'and follow one another');
    t.equal(await widthOn(b), 11, 'it has the last version that it knows');
    t.same(await failuresOf(b.base, linksOf('R', linksCount)), []);
    t.same(await failuresOf(b.base, linksOf('B', 10)), [], 'also links that are new');
  });
  t.same(failures, [], 'through the proxy each link is answered');
  t.equal(await refused, 503);
  t.same(await failuresOf(b.base, linksOf('C', 10)), []);

  for (const { machine } of [primary, standby]) joinAgain(b.machine, machine);
  t.ok(await eventually(async () => (await widthOn(b)) === 12), 'it has the newest version');
  await comesToKnow(t, b, stored);
  const isStored = async (): Promise<boolean> =>
    (await call(b.base, 'POST', '?uid=joined', documentOf(9))) === 201;
  t.ok(await eventually(isStored), 'it stores again');
  for (const { base } of nodes) t.equal(await call(base, 'GET', '/refused'), 404);
});

t.test('a promoted standby has each acknowledged write', async (t) => {
  const { stored, failures } = await underLoad([fleet.base, b.base], async ({ goesOn }) => {
    t.ok(await goesOn());
    await primary.kill();
    standby.sql('postgres', 'SELECT pg_promote()');
    t.ok(await goesOn(), 'writes go on');
  });
  t.same(failures, [], 'each link is answered');
  const known = new Set(standby.sql('platen', 'SELECT uid FROM templates').split('\n'));
  t.same(
    stored.filter((uid) => !known.has(uid)),
    [],
    'none is lost',
  );
  for (const node of nodes) await comesToKnow(t, node, stored);
});

/** Asserts that a node has the last of these templates. */
async function comesToKnow(t: Test, { name, base }: FleetNode, uids: string[]): Promise<void> {
  const last = uids.slice(-writesCount);
  const knows = async (): Promise<boolean> => {
    const statuses = await Promise.all(last.map((uid) => call(base, 'GET', `/${uid}`)));
    return statuses.every((status) => status === 200);
  };
  t.ok(await eventually(knows), `${name} has the last templates`);
}
