/** Puts together what the studio's page loads: one script, one style, the packages they use, the client, and the template language. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentSchema } from '#language/schema/document.ts';
import { clientScript } from './client-script.ts';
import { linkModules } from './link-modules.ts';

/** A file of the studio, as it is sent. */
export interface StudioFile {
  type: string;
  text: string;
}

/** The studio as one revision of all its files. */
export interface StudioFiles {
  /** Changes with any of them. */
  revision: string;
  /** By their names below the revision. */
  files: ReadonlyMap<string, StudioFile>;
}

/** Names of the script that starts the studio, of its style, and of the template language that its panels are made from. */
export const studioScript = 'studio.js';
export const studioStyle = 'studio.css';
export const studioSchema = 'template.schema.json';

/** Media types by the ends of names. */
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
};

/** Packages that modules of the studio may import, and the names under which they are served. */
const packageFiles: Readonly<Record<string, string>> = {
  preact: 'preact.js',
  'preact/hooks': 'preact-hooks.js',
  '@preact/signals': 'signals.js',
  '@preact/signals-core': 'signals-core.js',
  htm: 'htm.js',
  'htm/preact': 'htm-preact.js',
};

const clientFile = 'client.js';

const sourceDirectory = fileURLToPath(new URL('../../', import.meta.url));
const studioDirectory = join(sourceDirectory, 'studio');

/** Modules beside the studio's own that may go into its script; they import nothing outside of these. */
const sharedPages = ['image-texts.ts', 'mail-tools.ts', 'public-address.ts', 'snippets.ts'].map(
  (name) => join(sourceDirectory, 'pages', name),
);

/** An import of a package's file, which is minified. */
const packageImport = /(\bfrom ?|\bimport ?)"([^"\n]+)"/g;

/** Reads the studio's files. Throws for a module that a browser could not run. */
export function loadStudioFiles(): StudioFiles {
  const texts = new Map<string, string>();
  const addPackage = (specifier: string): string => {
    const name = packageFiles[specifier] ?? '';
    if (!texts.has(name)) {
      const text = readFileSync(fileURLToPath(import.meta.resolve(specifier)), 'utf8');
      texts.set(name, text);
      texts.set(name, linkPackage(text, addPackage));
    }
    return `./${name}`;
  };
  const script = linkModules(join(studioDirectory, 'main.ts'), (specifier, importer) => {
    if (packageFiles[specifier] !== undefined) return addPackage(specifier);
    const path = join(dirname(importer), specifier);
    if (path === join(sourceDirectory, 'client/platen-client.ts')) return `./${clientFile}`;
    const isOwn = path.startsWith(join(studioDirectory, '/')) || sharedPages.includes(path);
    if (specifier.startsWith('.') && isOwn) return undefined;
    throw new Error(`${importer} imports ${specifier}, which is not served to browsers.`);
  });
  texts.set(studioScript, script);
  texts.set(clientFile, clientScript());
  texts.set(studioStyle, readStyles());
  texts.set(studioSchema, JSON.stringify(documentSchema()));
  const hash = createHash('sha256');
  const files = new Map<string, StudioFile>();
  for (const [name, text] of texts) {
    hash.update(name).update('\0').update(text).update('\0');
    const type = types[name.split('.').at(-1) ?? ''] ?? 'text/plain';
    files.set(name, { type, text });
  }
  return { revision: hash.digest('base64url').slice(0, 16), files };
}

/** A package's file that imports other packages from where they are served; no source map is. */
function linkPackage(text: string, addPackage: (specifier: string) => string): string {
  return text
    .replace(/\/\/# sourceMappingURL=.*/, '')
    .replaceAll(
      packageImport,
      (_, start: string, specifier: string) => `${start}"${addPackage(specifier)}"`,
    );
}

/** The styles of all parts, after the studio's own, which has the colours and measures. */
function readStyles(): string {
  const names = readdirSync(studioDirectory, { recursive: true, encoding: 'utf8' });
  const parts = names.filter((name) => name.endsWith('.css') && name !== studioStyle).toSorted();
  return [studioStyle, ...parts]
    .map((name) => readFileSync(join(studioDirectory, name), 'utf8'))
    .join('\n');
}
