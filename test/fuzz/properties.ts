/** Runs every file of property tests with random seeds, and prints the seed and path of what fails. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');
const seedModule = new URL('../property-seed.ts', import.meta.url).href;
/** A file of properties takes 1 to 30 s. */
const fileMsMax = 600_000;
/** fast-check accepts seeds of 32 bits. */
const seedEnd = 2 ** 31;

/** The lines of a failed property: its seed, its path and the values that it fails with. */
const failurePattern = /^.*(?:Property failed|Counterexample|^not ok).*$/gm;

/** Runs all properties `rounds` times, each round with a seed of its own. Returns how many files failed. */
export function fuzzProperties(rounds: number, report: (line: string) => void): number {
  const files = globSync('test/**/*.test.ts', { cwd: repository }).filter((file) =>
    readFileSync(join(repository, file), 'utf8').includes("from 'fast-check'"),
  );
  let failures = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const seed = randomInt(seedEnd);
    report(`round ${round} of ${rounds}: ${files.length} files of properties, seed ${seed}`);
    for (const file of files) {
      const child = spawnSync(process.execPath, ['--import', seedModule, file], {
        cwd: repository,
        env: {
          ...process.env,
          PROPERTY_SEED: String(seed),
          TEST_FULL: '1',
          TAP_TIMEOUT: String(fileMsMax / 1000),
        },
        encoding: 'utf8',
        timeout: fileMsMax,
        maxBuffer: Infinity,
      });
      if (child.status === 0) continue;
      failures += 1;
      report(`${file} fails with seed ${seed}`);
      const lines = child.stdout.match(failurePattern) ?? [child.stderr];
      for (const line of lines) report(line.trim());
    }
  }
  return failures;
}
