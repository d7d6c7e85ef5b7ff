/** Types of the package linebreak 1.1.0 (UAX #14), which ships none: only what paragraphs.ts calls. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** The next place where a line may or must end, as a UTF-16 offset; null after the last. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
