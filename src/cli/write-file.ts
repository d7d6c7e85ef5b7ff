/** Writes files so that whoever reads them finds all of one or the one before, also when the command is interrupted. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Drafts that are not renamed yet; removed when the program ends. */
const drafts = new Set<string>();

process.on('exit', () => {
  for (const draft of drafts) rmSync(draft, { force: true });
});

/** Writes `content` to `path`, whose folder is made when missing: under another name first, to disk, then renamed. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const draft = join(folder, `.${basename(path)}.${process.pid}.tmp`);
  drafts.add(draft);
  try {
    const file = openSync(draft, 'w');
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
    drafts.delete(draft);
  }
}
