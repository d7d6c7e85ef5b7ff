/** This version takes over from an earlier one: nodes one after the other under load, and the data folder of one service. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { waitForRun, withKey } from '../mailings/campaigns/campaign-client.ts';
import { demoKey, eventually, startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import type { Postgres } from '../helpers/postgres.ts';
import { skipsPostgres, startPostgres } from '../helpers/postgres.ts';
import { campaignOf, fillService, key, seenOf, send } from './content.ts';
import { comesTo, patch, stop } from './table-calls.ts';

const root = join(import.meta.dirname, '../..');
const timeoutMs = 200_000;
t.setTimeout(timeoutMs);

/** Without a release, the version of before is that of before this migration. */
const firstLaterMigration = 'data/migrations/022-comment-bytes.sql';

/** The output of git; undefined if it fails, as in a package without a repository. */
function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** The newest release before this commit, else a revision; undefined if the clone lacks it. */
function findEarlier(): string | undefined {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^');
  if (tag !== undefined) return tag;
  const added = git('log', '--diff-filter=A', '--format=%H', '--', firstLaterMigration);
  return git('rev-parse', '--verify', '--quiet', `${added}^`);
}

const earlier = findEarlier();
const hasSamePackages = (): boolean =>
  git('diff', '--quiet', earlier ?? '', 'HEAD', '--', 'package-lock.json') !== undefined;
const skip =
  skipsPostgres ||
  (earlier === undefined
    ? `there is no earlier version: the clone has no tag v*, or too few commits to reach that before ${firstLaterMigration}`
    : !hasSamePackages() && `${earlier} has other packages than those installed`);

/** The earlier version, built, with the packages of this one. */
function buildEarlier(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['-C', root, 'archive', earlier ?? ''], {
    maxBuffer: 1024 ** 3,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['src/cli/build/build.ts'], { cwd: folder, stdio: 'pipe' });
}

t.test('an earlier version and this one', { skip, timeout: timeoutMs }, async (t) => {
  t.comment(`the earlier version is ${earlier}`);
  const folder = t.testdir();
  const oldFolder = join(folder, 'earlier');
  buildEarlier(oldFolder);
  const postgres = await startPostgres(t);
  const url = postgres.createDatabase('platen');
  const start = (name: string, isOld: boolean, isShared: boolean): Promise<Service> =>
    startService(t, {
      dataDirectory: join(folder, name),
      environment: {
        PLATEN_PUBLIC_URL: 'https://images.example.com',
        ...(isShared ? { PLATEN_DATABASE_URL: url } : {}),
      },
      ...(isOld ? { folder: oldFolder } : {}),
    });

  await t.test('nodes one after the other, under load', async (t) => {
    // The first makes the tables, and a second one waits for that no longer than its limit.
    let a = await start('a', true, true);
    let b = await start('b', true, true);
    const content = await fillService(t, a, 500);
    const seen = await seenOf(a, content);
    const columns = columnsOf(postgres);
    const load = startLoad([a, b]);

    await load.without(a);
    await stop(a);
    a = await start('a', false, true);
    compare(t, await seenOf(a, content), seen);
    missesNone(t, columns, columnsOf(postgres));
    load.add(a);

    await t.test('both versions run', async (t) => {
      await load.goesOn(t);
      await seesChanges(t, a, b, 'new');
      await seesChanges(t, b, a, 'old');
      await load.goesOn(t);
    });
    const campaign = await campaignOf(t, b, campaignRows);

    await load.without(b);
    await stop(b);
    b = await start('b', false, true);
    load.add(b);
    await load.goesOn(t);
    await Promise.all([load.without(a), load.without(b)]);

    t.strictSame(load.failures, []);
    for (const node of [a, b]) {
      t.match(await waitForRun(withKey(node, demoKey), campaign), {
        state: 'finished',
        counts: { links: campaignRows },
      });
      await hasSaves(t, node, load.saved);
    }
    t.strictSame(await seenOf(b, content), await seenOf(a, content), 'both nodes show the same');
  });
});

/** What one version stores is what the other shows. */
async function seesChanges(t: Test, from: Service, to: Service, name: string): Promise<void> {
  const layer = { id: 'box', type: 'rect', x: 0, y: 0, width: 20, height: 20, fill: '#ff0000' };
  const document = { format: 1, name, width: 20, height: 20, variables: [], layers: [layer] };
  const calls: [method: string, path: string, body?: object][] = [
    ['POST', `/v1/templates?uid=${name}`, document],
    ['POST', `/v1/templates/${name}/publish`, {}],
    ['POST', `/v1/templates/${name}/comments`, { layer: 'box', text: 'Hm' }],
    ['POST', '/v1/keys', { name, scopes: ['read'] }],
    ['POST', '/v1/webhooks', { url: `https://127.0.0.1:80/${name}` }],
  ];
  for (const [method, path, body] of calls) {
    const answer = await send(from, method, path, body);
    t.ok(answer.status < 300, `${path}: ${answer.text.slice(0, 200)}`);
  }
  t.equal((await patch(from, [{ id: 'k1', name: `of ${name}` }])).status, 200);
  await comesTo(t, to, 'k1', `of ${name}`);
  t.ok(await eventually(async () => (await to.render(`${name}.png`)).status === 200));
  for (const path of [`/v1/templates/${name}`, `/v1/templates/${name}/comments`, '/v1/keys']) {
    const isEqual = async (): Promise<boolean> => {
      const [here, there] = await Promise.all([from, to].map((node) => send(node, 'GET', path)));
      return here !== undefined && hidden(here.text) === hidden(there?.text ?? '');
    };
    t.ok(await eventually(isEqual), path);
  }
}

/** Each call changes the last use of its key, and the older version may lack properties of the newer one. */
function hidden(text: string): string {
  return text.replaceAll(/"last_used_at":("[^"]*"|null),?/g, '');
}

const campaignRows = 3000;

interface Load {
  /** What was answered otherwise than with 200 and 201. */
  failures: string[];
  /** The names of acknowledged drafts by uid. */
  saved: Map<string, string>;
  add(node: Service): void;
  /** Resolves when no request is on its way to the node, which gets no further one. */
  without(node: Service): Promise<void>;
  /** Resolves when each node has answered some more links and saves. */
  goesOn(t: Test): Promise<void>;
}

/** A link and a save at a time on each node. */
function startLoad(nodes: readonly Service[]): Load {
  const running = new Map<Service, { isEnded: boolean; rounds: number; done: Promise<void> }>();
  const failures: string[] = [];
  const saved = new Map<string, string>();
  let number = 0;
  const work = async (node: Service, state: { isEnded: boolean; rounds: number }) => {
    while (!state.isEnded) {
      number += 1;
      const [uid, name] = [`load-${number}`, `Draft ${number}`];
      const link = number % 2 === 0 ? `plain.png?name=${number}` : `card.png?id=k${number % 500}`;
      const document = { format: 1, name, width: 20, height: 20, variables: [], layers: [] };
      const [image, draft] = await Promise.all([
        node.render(link),
        send(node, 'POST', `/v1/templates?uid=${uid}`, document),
      ]);
      if (image.status !== 200) failures.push(`${link}: ${image.status} ${image.text}`);
      if (draft.status === 201) saved.set(uid, name);
      else failures.push(`${uid}: ${draft.status} ${draft.text}`);
      state.rounds += 1;
    }
  };
  const load: Load = {
    failures,
    saved,
    add(node) {
      const state = { isEnded: false, rounds: 0, done: Promise.resolve() };
      state.done = work(node, state);
      running.set(node, state);
    },
    async without(node) {
      const state = running.get(node);
      if (state !== undefined) state.isEnded = true;
      await state?.done;
      running.delete(node);
    },
    async goesOn(t) {
      const from = [...running.values()].map((state) => [state, state.rounds] as const);
      t.ok(await eventually(() => from.every(([{ rounds }, before]) => rounds >= before + 10)));
    },
  };
  for (const node of nodes) load.add(node);
  return load;
}

/** Every acknowledged draft is there. */
async function hasSaves(t: Test, node: Service, saved: ReadonlyMap<string, string>): Promise<void> {
  const missing: string[] = [];
  for (const [uid, name] of saved) {
    const { status, text } = await node.get(`/v1/templates/${uid}`, { headers: key });
    if (status !== 200 || !text.includes(`"${name}"`)) missing.push(uid);
  }
  t.strictSame(missing, []);
}

/** Answers of the newer version have what those of the older one had, and may have more. */
function compare(t: Test, after: Record<string, string>, before: Record<string, string>): void {
  for (const [path, text] of Object.entries(before)) {
    const [status, shown] = [text.slice(0, 3), text.slice(4)];
    t.equal(after[path]?.slice(0, 3), status, path);
    if (shown.startsWith('{'))
      t.match(JSON.parse(after[path]?.slice(4) ?? ''), JSON.parse(shown), path);
  }
}

function columnsOf(postgres: Postgres): string[] {
  const select = `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
    FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1`;
  return postgres.sql('platen', select).trim().split('\n');
}

/** Migrations only add, so that nodes of the older version go on. */
function missesNone(t: Test, before: readonly string[], after: readonly string[]): void {
  t.strictSame(
    before.filter((column) => !after.includes(column)),
    [],
  );
}
