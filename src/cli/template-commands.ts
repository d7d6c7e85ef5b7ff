/** `platen templates list` and `publish`. */
import { exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { openTemplates } from './open-templates.ts';
import type { HomeOptions } from './open-templates.ts';
import { table } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** JSON: `{"templates":[{"uid","name","type","created_at","updated_at"}],"total"}`, newest first. */
export async function listTemplates(options: HomeOptions, terminal: Terminal): Promise<ExitCode> {
  const home = openTemplates(options);
  try {
    const templates = await home.list();
    const rows = templates.map(({ uid, name, updated_at }) => [uid, name, updated_at]);
    terminal.result(
      { templates, total: templates.length },
      table(['uid', 'name', 'changed'], rows),
    );
    return exitCodes.ok;
  } finally {
    home.close();
  }
}

/** Makes drafts the next versions, in the order given. JSON: `{"published":[{"uid","version","cid"}]}`. */
export async function publishTemplates(
  uids: readonly string[],
  { message, ...options }: HomeOptions & { message?: string },
  terminal: Terminal,
): Promise<ExitCode> {
  const home = openTemplates(options);
  const published: { uid: string; version: number; cid: string }[] = [];
  try {
    for (const uid of uids) published.push({ uid, ...(await home.publish(uid, message)) });
    return exitCodes.ok;
  } finally {
    home.close();
    // Also those before one that failed.
    if (published.length === uids.length || !terminal.isJson) {
      const lines = published.map(({ uid, version }) => `${uid}  version ${version}`);
      terminal.result({ published }, lines.join('\n'));
    }
  }
}
