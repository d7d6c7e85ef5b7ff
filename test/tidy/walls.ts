/** The walls of the house: which files of a wing, and of the PostgreSQL layer, others may know. */
import { readComputedFiles, readNamedFiles } from './imports.ts';
import type { SourceFile } from './source-files.ts';

/**
 * The wings, and the entrances of each: a file with those who may import it or name it in a string, as files or
 * folders. Everything else of `src` and `workers` is the core. It knows no wing: the composition root puts them
 * together, and `src/paths.ts` names the programs.
 */
export const wings: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'src/mailings/': {
    'src/mailings/mailings.ts': ['src/app.ts', 'src/adapters/'],
    'src/mailings/config.ts': ['src/settings.ts'],
    'src/mailings/commands.ts': ['src/cli/'],
    'src/mailings/campaigns/thread.ts': ['src/paths.ts'],
    'src/mailings/campaigns/list/thread.ts': ['src/paths.ts'],
    'src/mailings/tables/thread.ts': ['src/paths.ts'],
  },
  'src/pages/': {
    'src/pages/pages.ts': ['src/app.ts'],
    'src/pages/build.ts': ['src/cli/build/'],
    'src/pages/browser/email-snippets.ts': ['src/studio/', 'src/cli/build/'],
    // Apart from the snippets, which the first load of the studio does not need.
    'src/pages/browser/public-address.ts': ['src/studio/'],
  },
  'src/adapters/': { 'src/adapters/routes.ts': ['src/app.ts'] },
  'src/mcp/': { 'src/mcp/route.ts': ['src/app.ts'], 'src/mcp/stdio.ts': ['src/cli/'] },
  'src/client/': {
    'src/client/platen-client.ts': [
      'src/adapters/',
      'src/cli/',
      'src/mcp/',
      'src/studio/',
      // Bundles it.
      'src/pages/bundle.ts',
    ],
    // Apart from the client, whose first load in the studio does not need them.
    'src/client/list-files.ts': ['src/cli/', 'src/studio/'],
    'src/client/proxy-answer.ts': ['src/cli/', 'src/studio/'],
    // Generated.
    'src/client/endpoints.ts': ['src/cli/build/'],
  },
  'src/studio/': { 'src/studio/main.tsx': ['src/pages/bundle.ts'] },
  'src/cli/': {
    'src/cli/platen.ts': ['src/paths.ts'],
    'src/cli/backup/thread.ts': ['src/paths.ts'],
  },
};

/** The PostgreSQL layer: its folder, the contract that it shares with the port, and the port. */
export const postgres = {
  folder: 'src/store/shared/',
  contract: 'src/store/database/shared-contract.ts',
  port: 'src/store/database/shared-port.ts',
};

/**
 * Complains about an import, or the name of a file in a string, through a wall, and about one whose file is computed, so
 * that no rule can tell.
 */
export function checkWalls(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^(src|workers)\//.test(path))
    .flatMap((file) => {
      const named = file.imports.flatMap(({ target }) => (target === undefined ? [] : [target]));
      const targets = new Set([...named, ...readNamedFiles(file.path, file.text)]);
      const computed = readComputedFiles(file.text).filter(
        (each) => !isComputedApart(file.path, each),
      );
      return [
        ...[...targets].flatMap((target) => throughWall(file.path, target) ?? []),
        ...computed.map((code) => `${file.path} must name the file itself: ${code}`),
      ];
    });
}

/** The build of the kernels imports the compiler, which no installation of the service has. */
function isComputedApart(path: string, code: string): boolean {
  return path === 'workers/encode/wasm/build.ts' && code === 'import(name)';
}

function throughWall(path: string, target: string): string | undefined {
  const { folder, contract, port } = postgres;
  const isBehind = target.startsWith(folder) || target === contract;
  if (isBehind && !path.startsWith(folder) && path !== port && path !== contract) {
    return `${path} must import ${port}, not ${target} behind it`;
  }
  const wing = wingOf(target);
  if (wing === undefined || wing === wingOf(path)) return undefined;
  const entrances = Object.entries(wings[wing] ?? {}).filter(([, users]) =>
    users.some((user) => path.startsWith(user)),
  );
  if (entrances.some(([entrance]) => entrance === target)) return undefined;
  const known = entrances.map(([entrance]) => entrance).join(' or ');
  if (known !== '') return `${path} must enter ${wing} by ${known}, not by ${target}`;
  return wingOf(path) === undefined
    ? `${path} is of the core and must not know ${target} of a wing`
    : `${path} must not know ${target}: no entrance of ${wing} is for it`;
}

function wingOf(path: string): string | undefined {
  return Object.keys(wings).find((folder) => path.startsWith(folder));
}
