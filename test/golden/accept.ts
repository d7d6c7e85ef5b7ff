/** Writes the images of golden cases that are missing or have changed, and fails so that nobody takes it for a test run. */
import { acceptCase, compareCase, listCases, imagePath, readCase, renderCase } from './cases.ts';

const wanted = process.argv.slice(2);
let written = 0;
for (const name of listCases()) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
  const golden = readCase(name);
  const { bytes } = await renderCase(golden);
  if ((await compareCase(name, golden, bytes)) === undefined) continue;
  await acceptCase(name, golden, bytes);
  console.log(`wrote test/golden/${imagePath(name, golden)}`);
  written += 1;
}
console.log(`${written} images written: look at each of them before you commit it.`);
process.exitCode = 1;
