/** The code that browsers load: from `dist/`, or bundled at the first request where the service runs from its sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { isBuilt, packagePath } from '#paths.ts';

/** Files by their paths in `dist/`: `client.js`, `pages/…` and `studio/…`. */
export type BrowserCode = ReadonlyMap<string, string>;

let loaded: Promise<BrowserCode> | undefined;

/** Loads the files once. Rejects for sources that cannot be bundled. */
export function loadBrowserCode(): Promise<BrowserCode> {
  return (loaded ??= isBuilt ? Promise.resolve(readBuiltFiles()) : bundleSources());
}

function readBuiltFiles(): BrowserCode {
  const names = ['pages', 'studio'].flatMap((folder) =>
    readdirSync(packagePath(`dist/${folder}`)).map((name) => `${folder}/${name}`),
  );
  return new Map(
    ['client.js', ...names].map((name) => [
      name,
      readFileSync(packagePath(`dist/${name}`), 'utf8'),
    ]),
  );
}

async function bundleSources(): Promise<BrowserCode> {
  const { bundleBrowserCode } = await import('./bundle.ts');
  return (await bundleBrowserCode()).files;
}
