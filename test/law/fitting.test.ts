/** The documents of the law are no longer than the API accepts, up to the longest. */
import * as fc from 'fast-check';
import t from 'tap';
import { templateLimits } from '#language/limits/template-limits.ts';
import { lawCases } from './documents.ts';

const { documentBytesMax } = templateLimits;

t.test('documents of the law are as long as the API accepts, and some are near that', async (t) => {
  let longest = 0;
  fc.assert(
    fc.property(lawCases, ({ document }) => {
      const bytes = Buffer.byteLength(JSON.stringify(document));
      longest = Math.max(longest, bytes);
      return bytes <= documentBytesMax;
    }),
    { numRuns: 300 },
  );
  t.ok(longest > 0.9 * documentBytesMax, `the longest of all has ${longest} bytes`);
});
