/** Shows what a push changes, as a unified diff. */
import { createTwoFilesPatch } from 'diff';
import { colored } from '../terminal.ts';

/** Unchanged lines around a change: enough to see the layer's id. */
const contextLines = 4;

/** The unified diff between two texts of a template; empty when they are equal, all additions for a new template. */
export function templateDiff(uid: string, before: string | undefined, after: string): string {
  if (before === after) return '';
  return createTwoFilesPatch(
    before === undefined ? '/dev/null' : `a/${uid}.json`,
    `b/${uid}.json`,
    before ?? '',
    after,
    undefined,
    undefined,
    { context: contextLines },
  )
    .replace(/^=+\n/, '')
    .trimEnd();
}

/** The same in colours, where the terminal shows them. */
export function coloredDiff(diff: string): string {
  return diff
    .split('\n')
    .map((line) => {
      if (/^(---|\+\+\+)/.test(line)) return colored('bold', line);
      if (line.startsWith('@@')) return colored('cyan', line);
      if (line.startsWith('+')) return colored('green', line);
      return line.startsWith('-') ? colored('red', line) : line;
    })
    .join('\n');
}
