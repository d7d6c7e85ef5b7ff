/** Refuses to publish drafts whose default picture cannot be drawn. */
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { TemplateHome } from '../templates/home.ts';
import type { Terminal } from '../terminal.ts';

/** Throws a `CommandError` with the cause for each that cannot be drawn; with `isForced` it warns and goes on. */
export async function checkDrawable(
  home: TemplateHome,
  uids: readonly string[],
  isForced: boolean,
  terminal: Terminal,
): Promise<void> {
  const causes = [...(await home.findUndrawable(uids))];
  if (causes.length === 0) return;
  const lines = causes.map(([uid, cause]) => `${uid} draws no default picture: ${cause}`);
  if (!isForced) {
    const advice = 'Nothing was published; --force publishes all the same.';
    throw new CommandError(exitCodes.problems, [...lines, advice].join('\n'));
  }
  for (const line of lines) terminal.warn(`${line} It is published all the same.`);
}
