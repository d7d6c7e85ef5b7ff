/** The settings of the caches, and their sizes by the memory of the machine. */
import { Type } from 'typebox';

const mebibyte = 1024 * 1024;

/** Sizes that are not set depend on the memory: see `cacheSizes` of src/scheduling/memory-budget.ts. */
export const cacheSchema = Type.Object({
  rendersBytesMax: Type.Optional(
    Type.Integer({
      env: 'PLATEN_CACHE_RENDERS_MB',
      minimum: 1,
      maximum: 65_536,
      factor: mebibyte,
      expected: 'mebibytes from 1 to 65536',
      description:
        'Memory for finished renders. Beside it, the addresses of known links have a sixteenth as much, from 2 to 256. Default: an eighth of the memory that the processes leave, from 16 to 4096.',
    }),
  ),
  baseRendersBytesMax: Type.Optional(
    Type.Integer({
      env: 'PLATEN_CACHE_PLANS_MB',
      minimum: 1,
      maximum: 65_536,
      factor: mebibyte,
      expected: 'mebibytes from 1 to 65536',
      description:
        'Memory of each render thread for base renders of templates, 4 to 10 mebibytes each at 1200 × 630. Default: a 64th of the memory that the processes leave, at most a 16th over all of them, from 16 to 48. Raise it if links of more than five templates are rendered at a time.',
    }),
  ),
});
