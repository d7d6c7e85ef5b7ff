/** Dirt of a cell: a value that draws, and that nobody means. */
import type { dirtCodes } from '../campaign.ts';

export type DirtCode = (typeof dirtCodes)[number];

/** Dirt of a cell. */
export interface Dirt {
  code: DirtCode;
  /** The end of a sentence that begins with the variable or the column: what is wrong, and the remedy. */
  what: string;
  /** A word that means nothing, in lower case. */
  word?: string;
  /** Whether it counts only in a column that has certain dirt of this code. */
  isMaybe?: true;
}
