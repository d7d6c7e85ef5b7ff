/** The rules on who may import what. */
import { readNamedFiles } from './imports.ts';
import type { SourceFile } from './source-files.ts';

/** What both sides of the thread boundary know, and nothing else does before it. */
const language = ['src/language/', 'src/wire/', 'src/paths.ts'];
const base = [...language, 'src/foundation/'];
/** The three that do not know one another. */
const parts = ['src/store/', 'src/images/', 'src/scheduling/'];
/** Each knows those before it. */
const ladder = ['src/http/', 'src/process/', 'src/render/', 'src/telemetry/'] as const;
/** What a folder that stands on one of the ladder may import: that one, and all below it. */
const upTo = (folder: (typeof ladder)[number]): string[] => [
  ...base,
  ...parts,
  ...ladder.slice(0, ladder.indexOf(folder) + 1),
];

/** What endpoints of a wing need of the API: how an endpoint is declared, and what all share. */
const endpointFiles = [
  'src/api/declaration.ts',
  'src/api/endpoint.ts',
  'src/api/shared-schemas.ts',
  'src/api/request/',
];

/**
 * Where code may be imported from, by the folder of the importing file; the longest matching folder counts. The order
 * is that of docs/architecture.md: a folder may use what stands above it here.
 */
const importTable: Readonly<Record<string, readonly string[]>> = {
  'src/wire/': ['src/wire/'],
  'src/language/': language,
  'src/foundation/': base,
  'workers/': [...language, 'workers/'],
  // Painting works from the display list alone.
  'workers/paint/': [
    ...language,
    'workers/*',
    'workers/assets/',
    'workers/text/',
    'workers/paint/',
  ],
  'src/store/': [...base, 'src/store/'],
  'src/images/': [...base, 'src/images/'],
  'src/scheduling/': [...base, 'src/scheduling/'],
  // Its losses outlast the process.
  'src/scheduling/quarantine.ts': [
    ...base,
    'src/scheduling/',
    'src/store/database/',
    'src/store/lost-render-store.ts',
  ],
  ...Object.fromEntries(ladder.map((folder) => [folder, upTo(folder)])),
  'src/config/': [...upTo('src/telemetry/'), 'src/config/'],
  'src/publish/': [...upTo('src/telemetry/'), 'src/publish/'],
  'src/api/': [...upTo('src/telemetry/'), 'src/publish/', 'src/api/'],
  // Reading lists needs nothing of the service.
  'src/mailings/lists/': ['src/foundation/', 'src/paths.ts', 'src/mailings/lists/'],
  'src/mailings/': [...upTo('src/telemetry/'), ...endpointFiles, 'src/mailings/'],
  'src/pages/': [...upTo('src/render/'), 'src/api/', 'src/pages/'],
  'src/pages/browser/': [
    'src/pages/browser/',
    'src/language/signed-text.ts',
    'src/language/bind/isolation.ts',
  ],
  // The client runs in programs of others, and imports nothing of the service.
  'src/client/': ['src/client/', ...language],
  // Beside its own modules: the client, the snippets that the pages share, and types of the template language.
  'src/studio/': ['src/studio/', 'src/client/', 'src/pages/browser/', 'data/icons/', ...language],
  // Both call the API as any program does.
  'src/adapters/': [
    ...upTo('src/http/'),
    'src/api/request/',
    'src/mailings/mailings.ts',
    'src/client/',
    'src/adapters/',
  ],
  'src/mcp/': [...upTo('src/http/'), 'src/client/', 'src/mcp/'],
  // The composition root and the commands know every folder.
  'src/': ['src/'],
  'src/cli/': ['src/'],
  'bench/': ['src/', 'workers/', 'bench/'],
  'test/': ['src/', 'workers/', 'bench/', 'data/', 'test/'],
};

/** Files that no file of a folder may import, although the table allows their folder. */
const importBans: ReadonlyArray<readonly [from: string, target: string]> = [
  ['workers/paint/', 'workers/bind-scene.ts'],
  ['workers/paint/', 'workers/render.ts'],
];

/** Where a dependency may be imported, by package; tests and benches may import any. */
const homes: Readonly<Record<string, RegExp>> = {
  '@modelcontextprotocol/sdk': /^src\/(mcp\/|cli\/mcp-command\.ts$)/,
  '@nuintun/qrcode': /^workers\/layout\/codes\//,
  '@preact/signals': /^src\/studio\//,
  'better-sqlite3': /^src\/store\/database\/database\.ts$/,
  'bidi-js': /^workers\/text\//,
  'bwip-js': /^workers\/layout\//,
  'cli-progress': /^src\/cli\/progress\.ts$/,
  commander: /^src\/cli\//,
  diff: /^src\/cli\/templates\/pending-pushes\.ts$/,
  entities: /^src\/render\/link\/correct-value\.ts$/,
  esbuild: /^src\/pages\/bundle\.ts$/,
  harfbuzzjs: /^workers\/(text\/shaping|assets\/font-inspection)\.ts$/,
  'iconv-lite': /^src\/mailings\/lists\/text\/text-encodings\.ts$/,
  'ipaddr.js': /^src\/images\/fetch\/address-guard\.ts$/,
  'jsonc-parser': /^src\/(cli\/templates\/json-document|language\/check\/json-text)\.ts$/,
  linebreak: /^workers\/text\//,
  'lru-cache':
    /(cache|bind-scene|contrast-grounds|proof\/row-renders|content-encoding|quarantine|asset-files|row-files|pdf-writer|publish\/(preview|publisher)|svg\/(pool|layers)|host-circuit|scheduling\/(costs|long-renders)|part-index|serve-tasks|link\/short-link)\.ts$|^src\/language\/(values|bind)\/|^workers\/(text|layout|paint|assets)\//,
  marked: /^src\/pages\/guides\//,
  pg: /^src\/store\/shared\/connection\.ts$/,
  preact: /^src\/studio\//,
  saxes:
    /^src\/(language\/check\/(xml-check|browser-require)|mailings\/lists\/workbook\/read-part)\.ts$/,
  // Beside the workers, the program that draws callers' SVG in a process of its own.
  piscina: /^workers\/shared\/thread-pool\.ts$/,
  sharp: /^(workers\/(assets\/decode-image\.ts$|encode\/)|src\/images\/svg\/rasterise\.ts$)/,
  'skia-canvas': /^workers\/(assets\/|text\/(engine|measure)\.ts$|paint\/)/,
  // The client takes types alone.
  typebox:
    /^src\/(language|api|mailings\/api|mcp|adapters)\/|^src\/client\/call\.ts$|^src\/(\w+\/)?config\.ts$|^src\/config\//,
  'uWebSockets.js': /^src\/http\//,
  undici: /^src\/images\/fetch\/(fetch-image|connect-guarded|bound-answers)\.ts$/,
  uqr: /^workers\/layout\/codes\//,
  'woff2-encoder': /^workers\/(inspect-fonts|decompress-font)\.ts$/,
  yauzl: /^src\/(mailings\/lists\/workbook\/workbook-file|cli\/campaigns\/unpack)\.ts$/,
};

/** Dependencies that are files, an addon or a program, and are imported nowhere. */
const filesOnly = /^(node|uws-pack|hyphenopoly|twemoji-colr-font|@expo-google-fonts\/.+)$/;

/** Complains about an import that crosses the table. */
export function checkImportTable(files: readonly SourceFile[]): string[] {
  const complaints: string[] = [];
  for (const file of files) {
    const allowed = importTable[longestFolder(file.path)] ?? [];
    for (const { specifier, target } of file.imports) {
      if (target === undefined) continue;
      const banned = importBans.some(([from, to]) => file.path.startsWith(from) && target === to);
      if (banned || !allowed.some((folder) => isIn(target, folder))) {
        complaints.push(`${file.path} must not import ${target}`);
      }
      const folder = language.find((each) => target.startsWith(each));
      if (folder !== undefined && !file.path.startsWith(folder) && !specifier.startsWith('#')) {
        complaints.push(`${file.path} must import ${target} as #${target.slice('src/'.length)}`);
      }
    }
  }
  return complaints;
}

/** Complains about a dependency that is imported outside its home, or that has no home. */
export function checkHomes(
  files: readonly SourceFile[],
  dependencies: readonly string[],
): string[] {
  const complaints = dependencies
    .filter((name) => homes[name] === undefined && !filesOnly.test(name))
    .map((name) => `${name} has no home: name one in test/tidy/import-rules.ts`);
  for (const file of files.filter(({ path }) => /^(src|workers)\//.test(path))) {
    for (const { packageName } of file.imports) {
      if (packageName === undefined || homes[packageName]?.test(file.path)) continue;
      complaints.push(`${file.path} must not import ${packageName}`);
    }
  }
  return complaints;
}

/** Complains about each circle of imports, once, types included. */
export function checkCycles(files: readonly SourceFile[]): string[] {
  const targets = new Map(files.map((file) => [file.path, importedFiles(file)]));
  const complaints: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) {
      complaints.push(`circle: ${[...trail.slice(start), path].join(' → ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return complaints;
}

/** Complains about an import of a file that is not there. */
export function checkTargets(files: readonly SourceFile[], paths: ReadonlySet<string>): string[] {
  return files.flatMap((file) =>
    importedFiles(file)
      .filter((target) => !paths.has(target))
      .map((target) => `${file.path} imports ${target}, which does not exist`),
  );
}

/** Complains about a file that nothing leads to from `roots`, by an import or by its name in a string. */
export function checkOrphans(
  files: readonly SourceFile[],
  isRoot: (path: string) => boolean,
): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const open = files.map(({ path }) => path).filter(isRoot);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = byPath.get(path);
    if (file === undefined || reached.has(path)) continue;
    reached.add(path);
    open.push(...importedFiles(file), ...readNamedFiles(path, file.text));
  }
  return files
    .filter(({ path }) => !reached.has(path))
    .map(({ path }) => `${path} is used by no program and no test`);
}

function importedFiles(file: SourceFile): string[] {
  return file.imports.flatMap(({ target }) => (target === undefined ? [] : [target]));
}

function longestFolder(path: string): string {
  const folders = Object.keys(importTable).filter((folder) => path.startsWith(folder));
  return folders.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

/** `src/*` are the files directly in src, `src/` is everything below it. */
function isIn(path: string, folder: string): boolean {
  if (!folder.endsWith('*')) return path.startsWith(folder);
  const parent = folder.slice(0, -1);
  return path.startsWith(parent) && !path.slice(parent.length).includes('/');
}
