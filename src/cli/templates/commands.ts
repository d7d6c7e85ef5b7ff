/** `platen templates list`, `publish`, `archive`, `restore` and `release`. */
import { checkDrawable } from './home.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { openTemplates } from './open.ts';
import type { HomeOptions } from './open.ts';
import { table } from '../terminal.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Lists the templates, newest first. JSON: `{"templates":[{"uid","name","type","created_at","updated_at"}],"total"}`.
 */
export async function listTemplates(options: HomeOptions, terminal: Terminal): Promise<ExitCode> {
  const home = await openTemplates(options);
  try {
    const templates = await home.list();
    const rows = templates.map(({ uid, name, updated_at }) => [uid, name, updated_at]);
    terminal.result(
      { templates, total: templates.length },
      table(['uid', 'name', 'changed'], rows),
    );
    return exitCodes.ok;
  } finally {
    await home.close();
  }
}

/** Publishes drafts in the order of the arguments. JSON: `{"published":[{"uid","version","cid"}]}`. */
export async function publishTemplates(
  uids: readonly string[],
  { message, force = false, ...options }: HomeOptions & { message?: string; force?: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const home = await openTemplates(options);
  const published: { uid: string; version: number; cid: string }[] = [];
  try {
    const drafts: { uid: string; cid: string }[] = [];
    for (const uid of uids) {
      const draft = await home.read(uid);
      if (draft === undefined) {
        throw new CommandError(exitCodes.problems, `There is no template ${uid}: ${home.name}.`);
      }
      drafts.push({ uid, cid: draft.cid });
    }
    await checkDrawable(home, uids, force, terminal);
    for (const { uid, cid } of drafts) {
      published.push({ uid, ...(await home.publish(uid, cid, message)) });
    }
    return exitCodes.ok;
  } finally {
    await home.close();
    // Also lists the published templates after an error, except with `--json`.
    if (published.length === uids.length || !terminal.isJson) {
      const lines = published.map(({ uid, version }) => `${uid}  version ${version}`);
      terminal.result({ published }, lines.join('\n'));
    }
  }
}

/**
 * Archives, restores or releases templates in the order of the arguments. JSON: `{"archived":["uid"]}`, or `restored`
 * or `released`.
 */
export async function moveTemplates(
  uids: readonly string[],
  direction: 'archive' | 'restore' | 'release',
  options: HomeOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const home = await openTemplates(options);
  const word = `${direction}d`;
  try {
    for (const uid of uids) {
      await home[direction](uid);
      terminal.note(`${uid}  ${word}`);
    }
    terminal.result({ [word]: uids }, '');
    return exitCodes.ok;
  } finally {
    await home.close();
  }
}
