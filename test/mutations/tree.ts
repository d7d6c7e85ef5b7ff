/** The tree in which faults are tried. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const checkout = resolve(import.meta.dirname, '../..');

/** Makes a work tree of the last commit, with the packages of the checkout. `removeTree` removes it. */
export function createTree(): string {
  const tree = join(mkdtempSync(join(tmpdir(), 'platen-mutations-')), 'tree');
  git('worktree', 'add', '--quiet', '--detach', tree, 'HEAD');
  const packages = join(checkout, 'node_modules');
  try {
    // Links to the files keep the paths of the packages inside the tree.
    execFileSync('cp', ['-al', packages, tree], { stdio: 'ignore' });
  } catch {
    rmSync(join(tree, 'node_modules'), { recursive: true, force: true });
    symlinkSync(packages, join(tree, 'node_modules'));
  }
  return tree;
}

export function removeTree(tree: string): void {
  git('worktree', 'remove', '--force', tree);
  rmSync(resolve(tree, '..'), { recursive: true, force: true });
}

function git(...parameters: string[]): void {
  execFileSync('git', parameters, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
}
