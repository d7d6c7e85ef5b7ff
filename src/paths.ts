/** Finds the files of the package: this module and its bundles in `dist/` are both one folder below the root. */
import { fileURLToPath } from 'node:url';

/** Programs, each a process or a thread of its own, by their source files; `npm run build` makes `dist/<name>.js` of each. */
export const programs = {
  main: 'src/main.ts',
  platen: 'src/cli/platen.ts',
  render: 'workers/render-host.ts',
  'render-thread': 'workers/render-thread.ts',
  fonts: 'workers/inspect-fonts.ts',
  'decompress-font': 'workers/decompress-font.ts',
  svg: 'src/images/svg/rasterise.ts',
  backup: 'src/cli/backup/thread.ts',
  tables: 'src/mailings/tables/thread.ts',
  check: 'src/store/database/check.ts',
  files: 'src/store/assets/files-thread.ts',
  campaigns: 'src/mailings/campaigns/thread.ts',
  lists: 'src/mailings/campaigns/list/thread.ts',
} as const;

export type ProgramName = keyof typeof programs;

/** Whether this code runs from `dist/`; else from its sources. */
export const isBuilt = !import.meta.url.endsWith('.ts');

/** The absolute path of a file or folder of the package, given from the root of the package. */
export function packagePath(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** The absolute path of a program's first module: built code starts built programs, sources start sources. */
export function programPath(name: ProgramName): string {
  return packagePath(isBuilt ? `dist/${name}.js` : programs[name]);
}
