/** Any text for property tests. */
import fc from 'fast-check';

const surrogatesFrom = 0xd800;
const surrogates = 0x800;

/**
 * Any code point but a half of a surrogate pair, as the `unit` of `fc.string`. Its own unit `binary` lists all of them
 * first, which takes each process 1.7 s of CPU time (fast-check 4).
 */
export const anyCodePoint = fc
  .integer({ min: 0, max: 0x10ffff - surrogates })
  .map((rank) => String.fromCodePoint(rank < surrogatesFrom ? rank : rank + surrogates));
