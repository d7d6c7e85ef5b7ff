/** Validates SVG path data (SVG 2, 9.3.9). */

/** Numbers in one set of arguments of each command. */
const argumentsOf: Readonly<Record<string, number>> = {
  M: 2,
  L: 2,
  H: 1,
  V: 1,
  C: 6,
  S: 4,
  Q: 4,
  T: 2,
  A: 7,
  Z: 0,
};

/**
 * Maximum absolute value of a number in a path, in the path's units. It is far outside of any canvas and far inside the
 * range of a float.
 */
export const pathNumberMax = 1_000_000;

const numberPattern = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const flagPattern = /[01]/y;
const separatorPattern = /[\s,]*/y;

/**
 * The problem of path data, as words that follow a property's name; undefined if it can be drawn. The paint engine
 * draws nothing of a path with a mistake, and infinite numbers would reach its arithmetic. An empty path is valid.
 * Linear time.
 */
export function pathProblem(data: string): string | undefined {
  let position = skip(data, 0);
  let isFirst = true;
  while (position < data.length) {
    const letter = data[position] ?? '';
    const count = argumentsOf[letter.toUpperCase()];
    if (count === undefined) return `has no command at character ${position + 1}`;
    if (isFirst && letter.toUpperCase() !== 'M') return 'does not begin with M';
    isFirst = false;
    position = skip(data, position + 1);
    if (count === 0) continue;
    do {
      for (let index = 0; index < count; index += 1) {
        const isFlag = count === 7 && (index === 3 || index === 4);
        const pattern = isFlag ? flagPattern : numberPattern;
        pattern.lastIndex = position;
        const match = pattern.exec(data)?.[0];
        if (match === undefined) {
          return `needs ${isFlag ? 'a 0 or 1' : 'a number'} at character ${position + 1}`;
        }
        if (Math.abs(Number(match)) > pathNumberMax) {
          return `has a number over ${pathNumberMax} at character ${position + 1}`;
        }
        position = skip(data, pattern.lastIndex);
      }
    } while (/[-+.\d]/.test(data[position] ?? ''));
  }
  return undefined;
}

function skip(data: string, position: number): number {
  separatorPattern.lastIndex = position;
  separatorPattern.test(data);
  return separatorPattern.lastIndex;
}
