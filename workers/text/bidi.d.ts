/** Types of the ES module of the package bidi-js 1.1.0, which has them for its main file alone. */
declare module 'bidi-js/dist/bidi.mjs' {
  import type { Bidi } from 'bidi-js';
  export default function createBidi(): Bidi;
}
