/**
 * Keeps sources without their types in a cache: Node 22 strips the types of every module in every process, a quarter of
 * the processor time of most test files. This file is JavaScript, so that a process need not load the stripper at all.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

const cache = new URL('../node_modules/.cache/stripped-types/', import.meta.url);
mkdirSync(cache, { recursive: true });

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    const path = new URL(hash('sha256', process.version + source), cache);
    return {
      format: 'module',
      source: readStripped(path) ?? strip(path, source),
      shortCircuit: true,
    };
  },
});

/** Undefined when nobody has stripped this source. */
function readStripped(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function strip(path, source) {
  const text = stripTypeScriptTypes(source);
  // Other processes and threads find all of a file or none.
  const draft = new URL(`${path.href}-${process.pid}-${threadId}`);
  writeFileSync(draft, text);
  renameSync(draft, path);
  return text;
}
