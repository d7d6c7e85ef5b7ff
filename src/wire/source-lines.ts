/** Names the lines of source files in stack traces, which name those of bundles. */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import type { SourceOrigin } from 'node:module';

const buildUrl = new URL('../../.build/', import.meta.url).href;

/** A file of a bundle, line and column; in the text of an error it may be anybody's, so nothing else is ever read. */
const bundlePlace = /^(?<file>[\w-]+\/[\w-]+\/[\w-]+\.js):(?<line>\d{1,9}):(?<column>\d{1,9})/;

/** One for each file of the bundles that an error has named. */
const maps = new Map<string, SourceMap | undefined>();

/** The private text of anything thrown, for the log: the stack where there is one, with the places that were written. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first = '', ...parts] = (error.stack ?? error.message).split(buildUrl);
  return parts.reduce((text, part) => text + namePlace(part), first);
}

function namePlace(part: string): string {
  const place = bundlePlace.exec(part);
  const { file = '', line, column } = place?.groups ?? {};
  const map = file === '' ? undefined : loadMap(file);
  const origin: Partial<SourceOrigin> = map?.findOrigin(Number(line), Number(column)) ?? {};
  if (place === null || origin.fileName === undefined) return buildUrl + part;
  const source = new URL(origin.fileName, `${buildUrl}${file}`).href;
  return `${source}:${origin.lineNumber}:${origin.columnNumber}${part.slice(place[0].length)}`;
}

function loadMap(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    const text = readFileSync(new URL(`${file}.map`, buildUrl), 'utf8');
    return new SourceMap(JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0]);
  } catch {
    // An older build's: the bundle's own line is better than none.
    return undefined;
  }
}
