/** Every golden case draws its accepted image, pixel for pixel. */
import t from 'tap';
import { compareCase, listCases, readCase, renderCase } from './cases.ts';

// Rasterisers round differently on other machines; Linux on x64 is the canonical one.
const canonical = process.platform === 'linux' && process.arch === 'x64';
const skip = canonical ? false : 'golden images are compared on Linux x64 only';

const titles = new Map<string, string>();
for (const name of listCases()) {
  const golden = readCase(name);
  t.test(`${name}: ${golden.title}`, { skip }, async (t) => {
    t.equal(titles.get(golden.title), undefined, 'its title is its own');
    titles.set(golden.title, name);
    t.ok(golden.title.length < 60, 'its title is short');
    const { bytes, warnings } = await renderCase(golden);
    t.same(warnings, golden.warnings ?? [], 'it warns as expected');
    t.equal(await compareCase(name, golden, bytes), undefined);
  });
}
