/** Types of two packages that have none, or none for the imported module. */

/** Types of the ES module of the package bidi-js 1.1.0, which has types only for its main file. */
declare module 'bidi-js/dist/bidi.mjs' {
  import type { Bidi } from 'bidi-js';
  export default function createBidi(): Bidi;
}

/** Types of the package linebreak 1.1.0 (UAX #14), which has none: only the methods that break-positions.ts calls. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** The next position where a line may or must end, as a UTF-16 offset; null after the last. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
