/** Asks in which of two encodings a list is, with the first cells that differ side by side. */
import { createInterface } from 'node:readline/promises';
import type { Campaign } from '../../client/platen-client.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { table } from '../terminal.ts';
import type { Terminal } from '../terminal.ts';

type EncodingDoubt = NonNullable<Campaign['list']['encoding_doubt']>;

/**
 * The encoding that the user chooses. Throws a `CommandError` where nobody can be asked: a guess would put wrong names
 * into links.
 */
export async function askEncoding(doubt: EncodingDoubt, terminal: Terminal): Promise<string> {
  const { readings } = doubt;
  const shown = tableOfReadings(doubt);
  if (!terminal.isInteractive || terminal.isJson) {
    const options = readings.map(({ encoding }) => `--encoding ${encoding}`).join(' or ');
    throw new CommandError(
      exitCodes.problems,
      `The encoding of the list is not sure. Look which cells are right, and add ${options}:\n${shown}`,
    );
  }
  terminal.note(`The encoding of the list is not sure:\n${shown}`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.setPrompt(`Which column is right? [1-${readings.length}] `);
  lines.prompt();
  for await (const line of lines) {
    const chosen = /^\s*\d\s*$/.test(line) ? readings[Number(line) - 1] : undefined;
    if (chosen !== undefined) return chosen.encoding;
    lines.prompt();
  }
  // Ctrl-C and Ctrl-D end the lines.
  throw new CommandError(
    exitCodes.interrupted,
    'Nothing was made, because no encoding was chosen.',
  );
}

/** A column for each reading, a line for each cell. */
function tableOfReadings({ readings }: EncodingDoubt): string {
  const headings = readings.map(({ encoding }, index) => `${index + 1} ${encoding}`);
  const cells = readings[0]?.cells ?? [];
  return table(
    headings,
    cells.map((_, at) => readings.map((reading) => reading.cells[at] ?? '')),
  );
}
