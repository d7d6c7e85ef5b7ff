/** Finds full-width punctuation whose blank half is left out (`text-spacing-trim` of CSS Text 4). */
import { splitByFamily } from './font-runs.ts';
import { blankSides } from './shaping.ts';
import type { Stretch } from './stretches.ts';
import { stretchAt } from './stretches.ts';
import type { FontFace } from './style.ts';

/** Blank space of a character that is left out, in multiples of the font size. */
export interface Trim {
  before: number;
  after: number;
}

/** A punctuation mark that is trimmed at the ends of a line or beside another mark. */
export interface TrimmedMark extends Trim {
  /** UTF-16 offset in the paragraph; a mark is one unit. */
  offset: number;
  /** Whether the character next to the blank side causes a trim if it is on the same line. */
  isAdjacent: boolean;
  /** Whether the mark is trimmed at the end of a line without space for all of it: closing marks, but not dots. */
  mayEnd: boolean;
}

/** The marks of a paragraph, ascending, and whether marks that start a line are trimmed. */
export interface Punctuation {
  marks: readonly TrimmedMark[];
  trimsStart: boolean;
}

const candidates = /[「『（［｛〈《【〔〖〘〝｟“‘」』）］｝〉》】〕〗〙〞〟｠”’、。，．：；]/g;
const opening = /[「『（［｛〈《【〔〖〘〝｟“‘]/;
/** Marks that some fonts draw in the middle of their squares. */
const dots = /[、。，．：；]/;
/** Characters before an opening mark or after a closing mark that cause a trim, besides dots and opening marks. */
const leading = /[\p{Ps}\p{Pi}\u3000・·]/u;
const following = /[\p{Pe}\p{Pf}\u3000・·、。，．：；]/u;
/** Minimum blank space in em; less is a rounding of the font. */
const blankMin = 0.1;

/** Cache by face and character; there are 40 characters. */
const knownSides = new WeakMap<FontFace, Map<string, Trim | undefined>>();

/** Finds the marks of a paragraph that may be trimmed; none in fonts without the feature `halt`. */
export function findMarks(text: string, stretches: readonly Stretch[]): TrimmedMark[] {
  const marks: TrimmedMark[] = [];
  const sidesAt = (offset: number): Trim | undefined => {
    const stretch = stretches[stretchAt(stretches, offset)];
    // In right-to-left text the blank halves are on the other side.
    if (stretch === undefined || stretch.level % 2 === 1) return undefined;
    return sidesOf(stretch.face, text.charAt(offset));
  };
  for (const { 0: mark, index: offset } of text.matchAll(candidates)) {
    const sides = sidesAt(offset);
    if (sides === undefined || isCentred(sides)) continue;
    const before = text.charAt(offset - 1);
    const after = text.charAt(offset + 1);
    if (opening.test(mark)) {
      const isAfterDot = dots.test(before) && isCentred(sidesAt(offset - 1));
      const isAdjacent = leading.test(before) || isAfterDot;
      marks.push({ offset, before: sides.before, after: 0, isAdjacent, mayEnd: false });
    } else {
      const isBeforeOpening = opening.test(after) && sidesAt(offset + 1) !== undefined;
      const isAdjacent = following.test(after) || isBeforeOpening;
      const mayEnd = !dots.test(mark);
      marks.push({ offset, before: 0, after: sides.after, isAdjacent, mayEnd });
    }
  }
  return marks;
}

function isCentred(sides: Trim | undefined): boolean {
  return sides !== undefined && sides.before > blankMin && sides.after > blankMin;
}

/** Returns the blank sides of a character as the face draws it; undefined without blank sides. */
function sidesOf(face: FontFace, character: string): Trim | undefined {
  let known = knownSides.get(face);
  if (known === undefined) knownSides.set(face, (known = new Map()));
  if (known.has(character)) return known.get(character);
  const [run] = splitByFamily(face, character);
  const sides = run && blankSides(face, run.family, character);
  const found = sides && Math.max(sides.before, sides.after) > blankMin ? sides : undefined;
  known.set(character, found);
  return found;
}

/**
 * Returns the trimmed marks between two offsets of a line. With `trimsEnd`, a mark that ends the line is trimmed too.
 */
export function trimmedMarks(
  { marks, trimsStart }: Punctuation,
  start: number,
  end: number,
  trimsEnd: boolean,
): TrimmedMark[] {
  const trimmed: TrimmedMark[] = [];
  for (let index = firstFrom(marks, start); index < marks.length; index += 1) {
    const mark = marks[index];
    if (mark === undefined || mark.offset >= end) break;
    const { offset, before, isAdjacent, mayEnd } = mark;
    const isAtStart = before > 0 && offset === start;
    const isAtEnd = before === 0 && offset + 1 === end;
    const isTrimmed = (isAtStart && trimsStart) || (isAtEnd && trimsEnd && mayEnd);
    if (isTrimmed || (isAdjacent && !isAtStart && !isAtEnd)) trimmed.push(mark);
  }
  return trimmed;
}

function firstFrom(marks: readonly TrimmedMark[], offset: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.offset ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
