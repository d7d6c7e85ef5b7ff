/** A folder of template files in which the commands about templates are run. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPlaten } from './run-platen.ts';
import type { Ran } from './run-platen.ts';

/** A folder of templates and the commands on it; `where` says which database or service they are about. */
export interface Workplace {
  directory: string;
  run(command: string, ...args: string[]): Promise<Ran>;
  /** Every file by its path, as text of its bytes. */
  files(): Record<string, string>;
  edit(uid: string, from: string, to: string): void;
}

export interface Where {
  args?: string[];
  environment: Record<string, string>;
}

export function workplace(directory: string, { args: more = [], environment }: Where): Workplace {
  mkdirSync(directory, { recursive: true });
  return {
    directory,
    run: (command, ...args) =>
      runPlaten(['templates', command, ...args, '--dir', directory, ...more], { environment }),
    files: () =>
      Object.fromEntries(
        readdirSync(directory, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => join(parentPath, name))
          .toSorted()
          .map((path) => [path.slice(directory.length), readFileSync(path, 'latin1')]),
      ),
    edit(uid, from, to) {
      const path = join(directory, `${uid}.json`);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replace(from, to));
    },
  };
}
