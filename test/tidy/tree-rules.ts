/** The rules on where files lie. */
import { posix } from 'node:path';

/** What starts the service and puts it together with its settings, and where the package's files lie; every other file of `src` has a folder. */
const startFiles = ['src/main.ts', 'src/serve.ts', 'src/app.ts', 'src/settings.ts', 'src/paths.ts'];
/** Files at one level of a folder: as many as a reader takes in at a glance. */
const filesMax = 20;
/** What crosses the process boundary stays small. */
const wireFilesMax = 8;

/** Complains about loose files and about folders with too many files, of the paths of all TypeScript files. */
export function checkTree(paths: readonly string[]): string[] {
  const complaints: string[] = [];
  const counts = new Map<string, number>();
  for (const path of paths.filter((each) => /^(src|workers)\//.test(each))) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
    if (folder === 'src' && !startFiles.includes(path)) {
      complaints.push(`${path} needs a folder: see the code map in docs/architecture.md`);
    }
  }
  for (const [folder, count] of counts) {
    const most = folder === 'src/wire' ? wireFilesMax : filesMax;
    if (count > most) complaints.push(`${folder} has ${count} files, at most ${most}: split it`);
  }
  return complaints;
}
