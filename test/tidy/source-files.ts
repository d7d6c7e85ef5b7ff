/** Reads the files of the repository that the tidy rules look at. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readImports, type Import } from './imports.ts';

/** A file of the repository; `path` is relative to its root, with forward slashes. */
export interface RepositoryFile {
  path: string;
  bytes: number;
}

/** A TypeScript file with what it imports. */
export interface SourceFile {
  path: string;
  text: string;
  imports: Import[];
}

/** A text file, code or not. */
export interface TextFile {
  path: string;
  text: string;
}

/** Folders of code that the rules on shape are about. */
const codeFolders = ['src', 'workers', 'bench', 'test'];

/** Names of files that are not text. */
const binaryName =
  /\.(png|jpe?g|webp|avif|gif|bmp|tiff?|ico|heic|pdf|ttf|otf|woff2?|bin|gz|sqlite)$/;

/**
 * Lists every file under `root` that `.gitignore` does not name, sorted by path.
 *
 * Only the forms `name/` and `some/path/` of an ignore line are understood; any other one throws, so that the list
 * cannot become wrong silently.
 */
export function listFiles(root: string): RepositoryFile[] {
  const ignored = parseIgnoredFolders(readFileSync(join(root, '.gitignore'), 'utf8'));
  const files: RepositoryFile[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!ignored.has(entry.name) && !ignored.has(path)) visit(path);
      } else if (entry.isFile() && path !== '.git') {
        // In a worktree `.git` is a file that names the folder of the repository.
        files.push({ path, bytes: statSync(join(root, path)).size });
      }
    }
  };
  visit('');
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The folders that an ignore file names, by name or by path, and `.git`. */
export function parseIgnoredFolders(text: string): Set<string> {
  const folders = new Set(['.git']);
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    if (!/^[\w.-]+(\/[\w.-]+)*\/$/.test(line)) {
      throw new Error(`.gitignore: "${line}" is no folder; write it as "name/" or "some/path/"`);
    }
    folders.add(line.slice(0, -1));
  }
  return folders;
}

/** Reads the text files among `files`. */
export function loadTexts(root: string, files: readonly RepositoryFile[]): TextFile[] {
  return files
    .filter((file) => !binaryName.test(file.path))
    .map((file) => ({ path: file.path, text: readFileSync(join(root, file.path), 'utf8') }));
}

/** Picks the TypeScript files of the code folders; a bench peer is a program of its own. */
export function sourceFiles(texts: readonly TextFile[]): SourceFile[] {
  return texts
    .filter(
      ({ path }) =>
        /\.tsx?$/.test(path) &&
        codeFolders.includes(path.split('/')[0] ?? '') &&
        !path.startsWith('bench/peers/'),
    )
    .map(({ path, text }) => ({ path, text, imports: readImports(path, text) }));
}
