/** Writes and reads the problems of a proof as JSON lines, to copy them from one node's list to another's. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { openCampaignList } from '../../store/campaigns/campaign-list.ts';
import type { CampaignList } from '../../store/campaigns/campaign-list.ts';
import { badRowCode } from '../../store/campaigns/problem-rows.ts';
import type { RowProblem } from '../../store/campaigns/problem-rows.ts';
import type { CampaignRun } from '../../store/campaigns/campaign-records.ts';

/** Rows whose problems are read at a time, and problems that one transaction stores. */
const batchLength = 1000;
const readBytes = 256 * 1024;

/** A line of the file. */
type WrittenProblem = Omit<RowProblem, 'needsYou'> & Partial<Pick<RowProblem, 'needsYou'>>;

/** Writes the problems of a list to `path`, without those that its import found. */
export function writeProblems(listPath: string, path: string): void {
  const list = openCampaignList(listPath);
  list.problems.fillNeeds();
  const file = openSync(path, 'w', 0o600);
  try {
    for (const problems of proofProblems(list)) {
      writeSync(file, problems.map((problem) => `${JSON.stringify(problem)}\n`).join(''));
    }
  } finally {
    closeSync(file);
    list.close();
  }
}

function* proofProblems(list: CampaignList): Generator<RowProblem[]> {
  let last: number | undefined = 0;
  while (last !== undefined) {
    const found = list.problems.after(last, batchLength);
    last = found.at(-1)?.row;
    yield found.filter(({ code }) => code !== badRowCode);
  }
}

/** Replaces the problems of a list by those of a finished proof. Synchronous: no run begins between two batches. */
export function readProblems(path: string, listPath: string, run: CampaignRun): void {
  const { number, done } = run;
  const checkpoint = { number, row: 0, done: 0, stateJson: '{}' };
  const list = openCampaignList(listPath);
  try {
    list.problems.fillNeeds();
    list.begin('proof', checkpoint);
    let problems: RowProblem[] = [];
    for (const line of readLines(path)) {
      // A node of an earlier release writes no needs.
      problems.push({ needsYou: null, ...(JSON.parse(line) as WrittenProblem) });
      if (problems.length < batchLength) continue;
      list.commit('proof', checkpoint, problems);
      problems = [];
    }
    list.commit('proof', { ...checkpoint, done }, problems);
    list.problems.fillNeeds();
  } finally {
    list.close();
  }
}

function* readLines(path: string): Generator<string> {
  const file = openSync(path, 'r');
  const decoder = new StringDecoder('utf8');
  const chunk = Buffer.alloc(readBytes);
  let rest = '';
  try {
    for (let length = 1; length > 0;) {
      length = readSync(file, chunk, 0, readBytes, null);
      const lines = (rest + decoder.write(chunk.subarray(0, length))).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    closeSync(file);
  }
}
