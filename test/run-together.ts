/**
 * Runs test files one after the other in one process, in which they share what they import, and a service and a browser
 * (`shareService`, `startBrowser`). `test/run.ts` starts it.
 */
import { resolve } from 'node:path';

const files = process.argv.slice(2);
// Tap names folders of tests after the arguments.
process.argv.splice(1, Infinity, resolve(files[0] ?? ''));
const { default: t } = await import('tap');

// Tap ends when its tests have, also while a later file waits for what it starts.
const loading = Promise.withResolvers<void>();
void t.test('all files are loaded', () => loading.promise);
for (const file of files) {
  t.comment(file);
  await import(resolve(file));
}
loading.resolve();
