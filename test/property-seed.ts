/**
 * Fixes the seed of every property, so that equal code gives equal results. `npm run fuzz` sets `PROPERTY_SEED` to
 * random ones. `test/run.ts` preloads it into each test file.
 */
import fc from 'fast-check';

const seed = Number(process.env['PROPERTY_SEED'] ?? 2_044_348_050);
if (!Number.isSafeInteger(seed)) {
  throw new Error(`PROPERTY_SEED is "${process.env['PROPERTY_SEED']}"; expected a whole number.`);
}
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
