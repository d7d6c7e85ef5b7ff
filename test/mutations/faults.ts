/** The faults of `*.json`, and the positions of the code where they go. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Fault {
  /** The claim that breaks, in kebab case. */
  name: string;
  file: string;
  /** Text that stands exactly once in the file. */
  find: string;
  /** The faulty text. */
  replace: string;
  /** What a user notices, in one sentence. */
  breaks: string;
  /** Test files that find the fault, the cheapest first. */
  tests: readonly string[];
}

/** A fault in the code of a tree. */
export interface FaultyFile {
  /** From the root of the tree. */
  file: string;
  right: string;
  faulty: string;
}

/** Reads the faults of some files of JSON whose name contains one of the words; without words, all. */
export function readFaults(paths: readonly string[], words: readonly string[]): Fault[] {
  const faults = paths.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')) as Fault[]);
  const names = faults.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two faults have the name ${twice}: rename one.`);
  return faults.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
}

/** The files of JSON beside this one. */
export function faultFiles(): string[] {
  return globSync(join(import.meta.dirname, '*.json')).toSorted();
}

/** Puts a fault into the code of a tree, in memory; the reason where its position is not clear. */
export function placeFault(tree: string, fault: Fault): FaultyFile | string {
  const file = existsSync(join(tree, fault.file)) ? fault.file : movedFile(tree, fault);
  if (file === undefined) {
    return `${fault.file} is gone, and not exactly one file of that name under src/ and workers/ has the text to find`;
  }
  const right = readFileSync(join(tree, file), 'utf8');
  const parts = right.split(fault.find);
  if (parts.length !== 2) {
    return `the text to find stands ${parts.length - 1} times in ${file}, expected once`;
  }
  return { file, right, faulty: parts.join(fault.replace) };
}

/** The one file of the same name, in another folder, that has the text to find. */
function movedFile(tree: string, { file, find }: Fault): string | undefined {
  const listed = execFileSync('git', ['ls-files', 'src', 'workers'], { cwd: tree });
  const candidates = listed
    .toString()
    .split('\n')
    .filter((path) => basename(path) === basename(file))
    .filter((path) => existsSync(join(tree, path)))
    .filter((path) => readFileSync(join(tree, path), 'utf8').includes(find));
  return candidates.length === 1 ? candidates[0] : undefined;
}
