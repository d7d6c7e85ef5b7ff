/**
 * Runs test files, each in a process of its own or with others (`groupOf`). Prints a line for each process, all output of
 * those that fail, and the totals.
 *
 * `npm test -- test/log.test.ts test/api` runs the named files and folders. `TEST_FULL=1` runs all files at full length.
 * `TEST_PART=2/4` with it runs the second quarter of the exhaustive files at full length, and a quarter of the others.
 * Not tap's command, because it adds module hooks to each process that a test starts, even to the tested
 * service. Without them, and with a module cache, 16 files took 39 s of processor time in place of 69 (measured).
 */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { PassThrough } from 'node:stream';
import t from 'tap';
import { exhaustive } from './exhaustive.ts';

/** Groups at a time. With three on two cores, a browser and a service of each, services refuse renders as overloaded. */
const jobs = Math.max(2, availableParallelism());
const isFull = process.env['TEST_FULL'] === '1';
/** Milliseconds for each file of a group that asks for no other limit. */
const fileMsMax = isFull ? 900_000 : 120_000;

/** Each is a group of those of its files that start no process of their own. */
const groupFolders = [
  'test/api',
  'test/audit',
  'test/bench',
  'test/client',
  'test/http',
  'test/images',
  'test/lists',
  'test/live',
  'test/pages',
  'test/property',
  'test/render',
  'test/shared',
  'test/studio',
  'test/tables',
  'test/templates',
  'test/webhooks',
  'test/workers/assets',
  'test/workers/encode',
  'test/workers/incremental',
  'test/workers/layout',
  'test/workers/paint',
  'test/workers/text',
];
/** Files that start processes, and those that change what all of a process share. */
const needsItself =
  /\b(startService|startProgram|startBrowser|spawn|fork|setDefaultCACertificates|\w*Pool)\(/;

const sharedService = 'the shared service';
const startsService = /\bstart(Service|Program)\(/;

/** The longest ones start first, so that all cores end together. */
const longest = [
  sharedService,
  'test/campaigns/kills.test.ts',
  'test/campaigns/files.test.ts',
  'test/campaigns/proof.test.ts',
  'test/shared-database/campaigns.test.ts',
  'test/shared-database/upgrade.test.ts',
  'test/campaigns/storage.test.ts',
  'test/studio/gallery-publish.test.ts',
  'test/cli/templates.test.ts',
  'test/cli/render.test.ts',
  'test/golden/golden.test.ts',
  'test/property',
  'test/shared',
  'test/workers/encode',
  'test/workers/assets',
  'test/render',
  'test/build.test.ts',
  'test/e2e/described-answers.test.ts',
  'test/e2e/newcomer.test.ts',
  'test/law/hostile.test.ts',
  'test/law/law.test.ts',
];

/** They run last: the processes of campaigns have the lowest priority, and get no processor beside other tests. */
const runsCampaigns = /campaign-client|\/v1\/campaigns/;

/** It runs groups of its own at the same time, so it runs alone, after all others. */
const runsGroups = 'test/shared-database/suites.test.ts';

/** They mostly wait, so they run beside the others. */
const waiting = [
  'test/e2e/audience-faults.test.ts',
  'test/e2e/overload.test.ts',
  'test/fault/http-slow.test.ts',
  'test/fault/pauses.test.ts',
  'test/fault/render-processes.test.ts',
  'test/images/fetch-fairness.test.ts',
  'test/images/fetch-faults.test.ts',
  'test/render/render-pool.test.ts',
];

const [part = 1, parts = 1] = (process.env['TEST_PART'] ?? '1/1').split('/').map(Number);

const named = process.argv.slice(2);
const files = named.length > 0 ? named.flatMap(filesOf) : filesOf('test').filter(isPart);

/** The test files of a folder; a file itself. */
function filesOf(path: string): string[] {
  return path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.test.ts`).toSorted();
}

/** Whether a file belongs to this run. Neighbours in the list cost alike, so each goes to another part. */
function isPart(file: string): boolean {
  return !isExhaustive(file) || (isFull && exhaustive.indexOf(file) % parts === part - 1);
}

function isExhaustive(file: string): boolean {
  return exhaustive.includes(file);
}

interface Group {
  name: string;
  members: readonly string[];
  /** What of the environment makes its tests run at full length. */
  full: { TEST_FULL?: string };
}

/** Whether a group runs at full length: the others run the part of their cases that `npm test` runs. */
function isFullGroup(position: number, members: readonly string[]): boolean {
  return isFull && (position % parts === part - 1 || members.every(isExhaustive));
}

/** The name of a file's group: a folder, or the file itself. */
function groupOf(file: string): string {
  const source = readFileSync(file, 'utf8');
  if (source.includes('await shareService()')) return sharedService;
  if (source.includes('startBrowser(') && !startsService.test(source)) return 'the shared browser';
  if (waiting.includes(file) || needsItself.test(source)) return file;
  return groupFolders.find((folder) => file.startsWith(`${folder}/`)) ?? file;
}

function positionOf(group: string): number {
  const position = longest.indexOf(group);
  return position === -1 ? longest.length : position;
}

const nodeArguments = [
  // What strips types is experimental, as Node says in every process.
  '--disable-warning=ExperimentalWarning',
  '--import=./test/stripped-types.mjs',
  // Equal code gives equal results.
  '--import=./test/property-seed.ts',
];
const { TEST_FULL: _full, ...inherited } = process.env;
const environment = {
  ...inherited,
  NODE_COMPILE_CACHE: 'node_modules/.cache/test-modules',
};

// Without a reader of its own, tap prints thousands of lines of what passes.
t.pipe(new PassThrough().resume());
t.register();
t.setTimeout(0);
// One more than `jobs`: a group that waits.
t.jobs = jobs + 1;

let filesFailed = 0;
t.on('subtestEnd', ({ name, counts, time, output, options, results }) => {
  const skipped = counts.skip > 0 ? `, ${counts.skip} skipped` : '';
  const summary = `${name}: ${counts.pass} passed${skipped}, ${toSeconds(time ?? 0)} s`;
  if (results?.ok === true) return console.log(`ok ${summary}`);
  filesFailed += 1;
  const end = options.signal ?? `exit code ${options.exitCode ?? 0}`;
  return console.log(`not ok ${summary}, ended by ${end}\n${output}`);
});

function toSeconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

/** Resolves when the files have ended. */
async function runGroup({ name, members, full }: Group): Promise<void> {
  // `env`, because `t.spawn` adds tap's hooks to NODE_OPTIONS.
  const command = ['-u', 'NODE_OPTIONS', process.execPath, ...nodeArguments];
  const msMax = members.length * fileMsMax;
  const program = members.length === 1 ? members : ['test/run-together.ts', ...members];
  await t.spawn('env', [...command, ...program], {
    name,
    buffered: true,
    timeout: msMax,
    env: { ...environment, ...full, TAP_TIMEOUT: String(msMax / 1000) },
  });
}

/** Runs what is left of a list, one group after the other. */
async function runList(list: Iterable<Group>): Promise<void> {
  for (const group of list) {
    // oxlint-disable-next-line no-await-in-loop -- the other lists run meanwhile
    await runGroup(group);
  }
}

function listOf({ name, members }: Group): 'alone' | 'waiting' | 'campaigns' | 'working' {
  if (name === runsGroups) return 'alone';
  if (waiting.includes(name)) return 'waiting';
  // One of its files only lists campaigns.
  if (name === sharedService) return 'working';
  const isCampaign = members.some((file) => runsCampaigns.test(readFileSync(file, 'utf8')));
  return isCampaign ? 'campaigns' : 'working';
}

async function runAll(): Promise<void> {
  const groups = [...Map.groupBy(files, groupOf)].map(([name, members], position): Group => ({
    name,
    members,
    full: isFullGroup(position, members) ? { TEST_FULL: '1' } : {},
  }));
  const sorted = groups.toSorted((a, b) => positionOf(a.name) - positionOf(b.name));
  const lists = Map.groupBy(sorted, listOf);
  const working = (lists.get('working') ?? []).values();
  const campaigns = (lists.get('campaigns') ?? []).values();
  await Promise.all([
    runList(lists.get('waiting') ?? []),
    ...Array.from({ length: jobs }, () => runList(working)),
  ]);
  await Promise.all(Array.from({ length: jobs }, () => runList(campaigns)));
  await runList(lists.get('alone') ?? []);
}

await runAll();
const { pass, fail, skip } = t.counts;
// A file can fail without a failed assertion, by its exit code.
const failed = Math.max(fail, filesFailed);
console.log(
  `${pass} passed, ${failed} failed, ${skip} skipped in ${toSeconds(performance.now())} s`,
);
