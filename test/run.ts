/**
 * Runs test files, each in a process of its own or with others (`groupOf`). Prints a line for each process, all output of
 * those that fail, and the totals. `test/selection.ts` says which files which run has.
 *
 * `npm test -- test/log.test.ts test/api` runs the named files and folders, and `npm run test:slow -- kills` a slow
 * program. `TEST_CI=1` adds the files of CI, `TEST_FULL=1` runs all cases of a file (`test/helpers/extent.ts`).
 * Not tap's command, because it adds module hooks to each process that a test starts, even to the tested
 * service. Without them, and with a module cache, 16 files took 39 s of processor time in place of 69 (measured).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { PassThrough } from 'node:stream';
import t from 'tap';
import { zoneRulesEnvironment } from '../src/foundation/zone-rules.ts';
import { ciOnly, filesOfNamed, filesOfSlow, slowPrograms } from './selection.ts';

/** Groups at a time. With three on two cores, a browser and a service of each, services refuse renders as overloaded. */
const jobs = Math.max(2, availableParallelism());
const isFull = process.env['TEST_FULL'] === '1';
/** Milliseconds for each file of a group that asks for no other limit. */
const fileMsMax = isFull ? 900_000 : 120_000;

/** Each is a group of those of its files that start no process of their own; a folder follows those in it. */
const groupFolders = [
  'test/api',
  'test/audit',
  'test/bench',
  'test/client',
  'test/clock',
  'test/golden',
  'test/http',
  'test/images',
  'test/language',
  'test/mailings/campaigns',
  'test/mailings/lists',
  'test/mailings/tables',
  'test/mailings/webhooks',
  'test/pages',
  'test/property',
  'test/render',
  'test/store',
  'test/studio',
  'test/workers/assets',
  'test/workers/encode',
  'test/workers/incremental',
  'test/workers/layout',
  'test/workers/paint',
  'test/workers/text',
  'test/workers',
];
/** Files that start processes or have a time limit, and those that measure or change what all of a process share. */
const needsItself =
  /^t\.setTimeout\(|\b(memoryUsage|runPlaten|startService|startProgram|startBrowser|startPostgres|spawn\w*|fork|setDefaultCACertificates|(?!sharePool)\w*Pool)\(/m;

const sharedService = 'the shared service';
/** Those of its files that have a browser: together they take as long as the others. */
const sharedPages = 'the shared service with a browser';
const startsService = /\bstart(Service|Program)\(/;

/** The longest ones start first, so that all cores end together. */
const longest = [
  sharedService,
  'test/cli/templates.test.ts',
  'test/shared-database/tables.test.ts',
  'test/cli/render.test.ts',
  'test/golden',
  'test/property',
  'test/language',
  'test/workers/layout',
  'test/workers/encode',
  'test/workers/assets',
  'test/render',
  'test/build.test.ts',
  'test/e2e/described-answers.test.ts',
  'test/law/hostile.test.ts',
  'test/law/law.test.ts',
];

/** They run last: the processes of campaigns have the lowest priority, and get no processor beside other tests. */
const runsCampaigns = /campaign-client|\/v1\/campaigns/;

/** They mostly wait, so they run beside the others. */
const waiting = [
  'test/fault/http-connections.test.ts',
  'test/fault/overload.test.ts',
  'test/fault/render-processes.test.ts',
  'test/images/fetch-fairness.test.ts',
  'test/images/fetch-faults.test.ts',
  'test/render/render-pool.test.ts',
];

const [first, ...others] = process.argv.slice(2);
const files = selectFiles();

/** Ends the process with a sentence for a name that has no test file. */
function selectFiles(): string[] {
  try {
    if (first === '--slow') return filesOfSlow(others);
    if (first === undefined) return filesOfNamed('.', ['test']).filter(isSelected);
    return filesOfNamed('.', [first, ...others]);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return process.exit(2);
  }
}

for (const file of [...ciOnly, ...Object.values(slowPrograms).flat()]) {
  if (!existsSync(file)) throw new Error(`test/selection.ts names ${file}, which does not exist.`);
}

/** Whether a run of all files has this one. */
function isSelected(file: string): boolean {
  if (Object.values(slowPrograms).some((program) => program.includes(file))) return false;
  return process.env['TEST_CI'] === '1' || !ciOnly.includes(file);
}

interface Group {
  name: string;
  members: readonly string[];
}

/** The name of a file's group: a folder, or the file itself. */
function groupOf(file: string): string {
  const source = readFileSync(file, 'utf8');
  const isShared = source.includes('await shareService()');
  if (source.includes('startBrowser(')) {
    if (isShared) return sharedPages;
    if (!startsService.test(source)) return 'the shared browser';
  }
  if (isShared) return sharedService;
  if (waiting.includes(file) || needsItself.test(source)) return file;
  return groupFolders.find((folder) => file.startsWith(`${folder}/`)) ?? 'the other files';
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
const environment = {
  ...process.env,
  ...zoneRulesEnvironment(),
  NODE_COMPILE_CACHE: 'node_modules/.cache/test-modules',
};

// Without a reader of its own, tap prints thousands of lines of what passes.
t.pipe(new PassThrough().resume());
t.register();
t.setTimeout(0);
// Two more than `jobs`: the pages, which wait for a browser half of the time, and a group that waits.
t.jobs = jobs + 2;

let filesFailed = 0;
/** Seconds of each process. */
const seconds: Record<string, number> = {};
t.on('subtestEnd', ({ name, counts, time, output, options, results }) => {
  const skipped = counts.skip > 0 ? `, ${counts.skip} skipped` : '';
  seconds[name] = toSeconds(time ?? 0);
  const summary = `${name}: ${counts.pass} passed${skipped}, ${toSeconds(time ?? 0)} s`;
  if (results?.ok === true) return console.log(`ok ${summary}`);
  filesFailed += 1;
  const end = options.signal ?? `exit code ${options.exitCode ?? 0}`;
  return console.log(`not ok ${summary}, ended by ${end}\n${output}`);
});

function toSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

/** Resolves when the files have ended. */
async function runGroup({ name, members }: Group): Promise<void> {
  // `env`, because `t.spawn` adds tap's hooks to NODE_OPTIONS.
  const command = ['-u', 'NODE_OPTIONS', process.execPath, ...nodeArguments];
  const msMax = members.length * fileMsMax;
  const program = members.length === 1 ? members : ['test/run-together.ts', ...members];
  await t.spawn('env', [...command, ...program], {
    name,
    buffered: true,
    timeout: msMax,
    env: { ...environment, TAP_TIMEOUT: String(msMax / 1000) },
  });
}

/** Runs what is left of a list, one group after the other. */
async function runList(list: Iterable<Group>): Promise<void> {
  for (const group of list) {
    await runGroup(group);
  }
}

function listOf({ name, members }: Group): 'pages' | 'waiting' | 'campaigns' | 'working' {
  if (name === sharedPages) return 'pages';
  if (waiting.includes(name)) return 'waiting';
  // One of its files only lists campaigns.
  if (name === sharedService) return 'working';
  const isCampaign = members.some((file) => runsCampaigns.test(readFileSync(file, 'utf8')));
  return isCampaign ? 'campaigns' : 'working';
}

async function runAll(): Promise<void> {
  const groups = [...Map.groupBy(files, groupOf)].map(([name, members]) => ({ name, members }));
  const sorted = groups.toSorted((a, b) => positionOf(a.name) - positionOf(b.name));
  const lists = Map.groupBy(sorted, listOf);
  const working = (lists.get('working') ?? []).values();
  const campaigns = (lists.get('campaigns') ?? []).values();
  const runLists = (list: Iterable<Group>): Promise<unknown> =>
    Promise.all(Array.from({ length: jobs }, () => runList(list)));
  await Promise.all([
    runList(lists.get('pages') ?? []),
    runList(lists.get('waiting') ?? []),
    runLists(working).then(() => runLists(campaigns)),
  ]);
}

await runAll();
const { pass, fail, skip } = t.counts;
// A file can fail without a failed assertion, by its exit code.
const failed = Math.max(fail, filesFailed);
const took = toSeconds(performance.now());
if (first === undefined) {
  const times = { seconds: took, groups: seconds };
  writeFileSync('node_modules/.cache/test-times.json', JSON.stringify(times));
}
console.log(`${pass} passed, ${failed} failed, ${skip} skipped in ${took} s`);
