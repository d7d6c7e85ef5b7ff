/** Searches the commands of the palette. */
import type { Command } from './commands.ts';

/** Commands shown at most. */
const shownMax = 60;

/**
 * Returns the commands that contain every word of the search: first the name that is the search, then by how the words
 * match (`scoreOf`), then names that begin with the search.
 */
export function findCommands(commands: readonly Command[], search: string): Command[] {
  const sought = fold(search).trim();
  const words = sought.split(/\s+/).filter(Boolean);
  return withDistinctNames(commands)
    .flatMap((command) => {
      const name = fold(command.name);
      const more = fold(`${command.kind} ${command.words ?? ''} ${command.detail ?? ''}`);
      const scores = words.map((word) => scoreOf(word, name, more));
      if (scores.includes(Infinity)) return [];
      const score = scores.reduce((sum, each) => sum + each, 0);
      return [{ command, rank: [name !== sought, score, !name.startsWith(sought)].map(Number) }];
    })
    .toSorted((a, b) => compare(a.rank, b.rank))
    .slice(0, shownMax)
    .map(({ command }) => command);
}

/** How a word matches: 0 for a word of the name, 1 for the start of one or a synonym, up to 4; Infinity for no match. */
function scoreOf(word: string, name: string, more: string): number {
  const [inName, inMore] = [wordsOf(name), wordsOf(more)];
  if (inName.includes(` ${word} `)) return 0;
  if (inName.includes(` ${word}`) || inMore.includes(` ${word} `)) return 1;
  if (inMore.includes(` ${word}`)) return 2;
  if (name.includes(word)) return 3;
  return more.includes(word) ? 4 : Infinity;
}

/** The words of a text, each between spaces. */
function wordsOf(text: string): string {
  return ` ${text.replaceAll(separators, ' ')} `;
}

/** Signs between words. */
const separators = /[^\p{L}\p{N}%]+/gu;

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((each, at) => each !== b[at]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

/** Adds to equal names their details, and to names that are still equal a number. */
function withDistinctNames(commands: readonly Command[]): Command[] {
  const detailed = renameEqual(commands, ({ name, detail }) =>
    detail === undefined || detail === '' ? name : `${name} (${detail})`,
  );
  return renameEqual(detailed, ({ name }, index) =>
    index === 0 ? name : `${name} (${index + 1})`,
  );
}

/** Renames the commands that share their name with others. `index` counts those of one name. */
function renameEqual(
  commands: readonly Command[],
  rename: (command: Command, index: number) => string,
): Command[] {
  const groups = Map.groupBy(commands, ({ name }) => name);
  return commands.map((command) => {
    const equal = groups.get(command.name) ?? [];
    if (equal.length < 2) return command;
    return { ...command, name: rename(command, equal.indexOf(command)) };
  });
}

/** Removes case and accents. */
function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
