/**
 * Puts faults into the code, one at a time, and reports which of them the tests find: see README.md.
 *
 * `node test/mutations/run.ts [--tree FOLDER] [--faults FILE] [--whole] [--write FILE] [words…]`. Exits with 1 unless all
 * are found.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Fault } from './faults.ts';
import { faultFiles, placeFault, readFaults } from './faults.ts';
import { importingTests } from './importing-tests.ts';
import { build, runTests, stop } from './run-tests.ts';
import { createTree, removeTree } from './tree.ts';

interface Outcome {
  name: string;
  result: 'found' | 'survived' | 'refused';
  /** What found it, or why it is refused. */
  by?: string;
  seconds: number;
}

const minuteMs = 60_000;
const runMsMax = 10 * minuteMs;
/** The whole suite at full length. */
const wholeMsMax = 120 * minuteMs;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    faults: { type: 'string', multiple: true },
    tree: { type: 'string' },
    whole: { type: 'boolean', default: false },
    write: { type: 'string' },
  },
});

const faults = readFaults(values.faults ?? faultFiles(), positionals);
if (faults.length === 0) throw new Error('No fault has such a name.');
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void onSignal());

const tree = values.tree === undefined ? createTree() : resolve(values.tree);
/** Puts the right code back. */
let restore = (): void => undefined;

try {
  await tryAll();
} catch (error) {
  if (!isStopped) throw error;
  process.exitCode = 130;
} finally {
  restore();
  if (values.tree === undefined) removeTree(tree);
}

async function onSignal(): Promise<void> {
  isStopped = true;
  await stop();
}

async function tryAll(): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const fault of faults) {
    const startMs = performance.now();
    const found = await tryFault(fault);
    const seconds = Math.round((performance.now() - startMs) / 1000);
    const outcome = { name: fault.name, ...found, seconds };
    outcomes.push(outcome);
    console.log(toLine(outcome));
    if (values.write !== undefined) {
      writeFileSync(values.write, `${JSON.stringify(outcomes, undefined, 2)}\n`);
    }
  }
  const count = outcomes.filter(({ result }) => result === 'found').length;
  console.log(`${count} of ${outcomes.length} found`);
  process.exitCode = count === outcomes.length ? 0 : 1;
}

function toLine({ name, result, by, seconds }: Outcome): string {
  if (result === 'found') return `found    ${name}  by ${by}  ${seconds} s`;
  if (result === 'survived') return `SURVIVED ${name}  ${by ?? ''}`.trimEnd();
  return `REFUSED  ${name}: ${by}`;
}

type Found = Pick<Outcome, 'result' | 'by'>;

async function tryFault(fault: Fault): Promise<Found> {
  const position = placeFault(tree, fault);
  if (typeof position === 'string') return { result: 'refused', by: position };
  const path = join(tree, position.file);
  restore = () => writeFileSync(path, position.right);
  try {
    writeFileSync(path, position.faulty);
    const problem = await build(tree);
    if (problem !== undefined) return { result: 'refused', by: `it does not build. ${problem}` };
    return await searchTests(fault, position.file);
  } finally {
    restore();
    restore = () => undefined;
  }
}

/** Runs its tests one after the other, then others. */
async function searchTests({ tests }: Fault, file: string): Promise<Found> {
  const present = tests.filter((test) => existsSync(join(tree, test)));
  const late: string[] = [];
  for (const test of present) {
    const end = await runTests(tree, [test], runMsMax);
    if (end.result === 'failed') return { result: 'found', by: test };
    if (end.result === 'late') late.push(test);
  }
  const near = importingTests(tree, file).filter((test) => !present.includes(test));
  const wider = near.length === 0 ? [] : [{ names: near, limitMs: runMsMax }];
  if (values.whole) wider.push({ names: [], limitMs: wholeMsMax });
  for (const { names, limitMs } of wider) {
    const end = await runTests(tree, names, limitMs);
    if (end.result === 'failed') return { result: 'found', by: end.by };
    if (end.result === 'late') late.push(...(names.length === 0 ? ['the whole suite'] : names));
  }
  // A test that does not end may only be slow.
  return { result: 'survived', ...(late.length > 0 && { by: `out of time: ${late.join(', ')}` }) };
}
