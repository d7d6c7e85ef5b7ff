/** Makes one JavaScript module of the client's TypeScript files, for browsers and for packages, whose types Node does not strip. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In the order of their imports; no two of them export the same name. */
const clientFiles = [
  'links.ts',
  'platen-error.ts',
  'call.ts',
  'template-list.ts',
  'platen-client.ts',
];

const clientDirectory = fileURLToPath(new URL('../../client', import.meta.url));

/** Imports and exports of the client's own files, which stand in the same module. */
const ownImport = /^import \{[^}]*\} from '\.\/[\w-]+\.ts';\n/gm;
const ownExport = /^export \{[^}]*\};\n/gm;

/** A comment with nothing below it: on a type that is gone, or on a file that is one of several now. */
const looseComment = /^\/\*\*(?:[^*]|\*(?!\/))*\*\/\n\n/gm;

const heading = `/**
 * The client of a Platen service: links, signed links, and every endpoint of its API, for Node, Deno, Bun, browsers
 * and edge runtimes. Made from src/client/*.ts by \`npm run docs\`; the types are there.
 */
`;

/** The client: the exports of `src/client/platen-client.ts`, and a few that only its own files use. */
export function clientScript(): string {
  const parts = clientFiles.map((name) => {
    const script = withoutTypes(readFileSync(join(clientDirectory, name), 'utf8'));
    return script.replaceAll(ownImport, '').replaceAll(ownExport, '').trim();
  });
  // No text of the client has two spaces in a row: only types have left them.
  const script = `${parts.join('\n\n')}\n`.replaceAll(/(?<=\S) {2,}(?=\S)/g, ' ');
  return `${heading}\n${script.replaceAll(looseComment, '').replaceAll(/^ {3,}(?=#\w+;$)/gm, '  ')}`;
}

/** The JavaScript of a TypeScript file: types are cut out, and what they leave empty. */
export function withoutTypes(source: string): string {
  return stripTypeScriptTypes(source)
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/(?<=\S) +(?=[,;)])/g, '');
}
