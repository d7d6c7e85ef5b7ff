/**
 * Keeps the JavaScript of the service's TypeScript files, so that a start does not strip their types again: it
 * costs 40 ms and 2 ms a file in every thread, half of the processor time of a start. Needless from Node 24 on.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';

/**
 * Takes the JavaScript of TypeScript files below `root` from files in `directory`, for all modules that this
 * thread imports from now on. A file there is used only while it ends in the digest of the very source text,
 * address and Node version that it was made from, and there is one for each source file: nothing goes stale or grows.
 * What cannot be read or written is stripped each time.
 */
export function useCodeCache(directory: string, root: string): void {
  const rootUrl = pathToFileURL(`${root}/`).href;
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith(rootUrl) || !url.endsWith('.ts')) return nextLoad(url, context);
      const path = cachedPath(directory, url.slice(rootUrl.length));
      return { format: 'module', source: loadCode(path, url), shortCircuit: true };
    },
  });
}

/**
 * Makes the directory, and gives arguments of Node that let a new thread use it before it reads its first
 * TypeScript file; none when nothing can be written there.
 */
export function codeCacheArguments(directory: string, root: string): string[] {
  const own = cachedPath(directory, basename(import.meta.url));
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    loadCode(own, import.meta.url);
    readFileSync(own);
  } catch {
    return [];
  }
  const call = `useCodeCache(${JSON.stringify(directory)}, ${JSON.stringify(root)})`;
  const code = `import { useCodeCache } from ${JSON.stringify(pathToFileURL(own).href)}; ${call};`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}

function cachedPath(directory: string, name: string): string {
  return join(directory, `${name.replaceAll('/', '~')}.mjs`);
}

function loadCode(path: string, url: string): string {
  const source = readFileSync(fileURLToPath(url), 'utf8');
  const mark = `//${hash('sha256', JSON.stringify([process.version, url, source]))}\n`;
  const kept = readCode(path);
  if (kept?.endsWith(mark) === true) return kept;
  const code = `${stripTypes(source, url)}\n${mark}`;
  const draft = `${path}-${process.pid}-${threadId}`;
  try {
    // Another thread or process reads all of it or nothing.
    writeFileSync(draft, code, { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A full or read-only disk makes the next start slower, not this one fail.
  }
  return code;
}

function readCode(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Strips as Node itself does, line for line; that this may change is told to nobody who cannot act on it. */
function stripTypes(source: string, url: string): string {
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source, { sourceUrl: url });
  } finally {
    process.emitWarning = emitWarning;
  }
}
