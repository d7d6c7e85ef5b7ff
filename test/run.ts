/**
 * Runs test files, each in a process of its own. Prints a line for each, all output of those that fail, and the totals.
 *
 * `npm test -- test/log.test.ts test/api` runs the named files and folders. `TEST_FULL=1` runs the exhaustive tests at full length.
 * Not tap's command, because it adds module hooks to each process that a test starts, even to the tested
 * service. Without them, and with a module cache, 16 files took 39 s of processor time in place of 69 (measured).
 */
import { globSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import t from 'tap';

/** Files at a time, on two cores. With three, a browser and a service of each, services refuse renders as overloaded. */
const jobs = 2;
const isFull = process.env['TEST_FULL'] === '1';
/** Milliseconds for a file that asks for no other limit. */
const fileMsMax = isFull ? 900_000 : 120_000;

const named = process.argv.slice(2);
const files = named.length > 0 ? named.flatMap(filesOf) : filesOf('test').filter(isPart);

/** The test files of a folder; a file itself. */
function filesOf(path: string): string[] {
  return path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.test.ts`).toSorted();
}

/** Whether a file belongs to this run: to the full one only those that do more in it. */
function isPart(file: string): boolean {
  return !isFull || readFileSync(file, 'utf8').includes('helpers/extent.ts');
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
  TAP_TIMEOUT: String(fileMsMax / 1000),
  NODE_COMPILE_CACHE: 'node_modules/.cache/test-modules',
};

// Without a reader of its own, tap prints thousands of lines of what passes.
t.pipe(new PassThrough().resume());
t.register();
t.setTimeout(0);
t.jobs = jobs;

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

/** Resolves when the file has ended. */
async function runFile(name: string): Promise<void> {
  // `env`, because `t.spawn` adds tap's hooks to NODE_OPTIONS.
  const command = ['-u', 'NODE_OPTIONS', process.execPath, ...nodeArguments, name];
  await t.spawn('env', command, { name, buffered: true, timeout: fileMsMax, env: environment });
}

await Promise.all(files.map(runFile));
const { pass, fail, skip } = t.counts;
// A file can fail without a failed assertion, by its exit code.
const failed = Math.max(fail, filesFailed);
console.log(
  `${pass} passed, ${failed} failed, ${skip} skipped in ${toSeconds(performance.now())} s`,
);
