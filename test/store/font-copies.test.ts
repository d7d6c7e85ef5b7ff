/** Which copies of fonts give way to others. */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import t from 'tap';
import type { Test } from 'tap';
import { copyPath, provideCopy } from '../../src/store/assets/font-copies.ts';
import type { CopyOutcome } from '../../src/store/assets/font-copies.ts';

const mebibyte = 1024 * 1024;
const copyBytes = 16 * mebibyte;

/** A folder for five copies of 16 MiB. */
function createFolder(t: Test) {
  const directory = t.testdir();
  const copyOf = (organizationUid: string, letter: string) => {
    const bytes = Buffer.alloc(copyBytes, letter);
    return { bytes, copy: { directory, organizationUid, digest: hash('sha256', bytes) } };
  };
  return {
    provide: (organizationUid: string, letter: string): CopyOutcome['state'] => {
      const { copy, bytes } = copyOf(organizationUid, letter);
      return provideCopy(copy, 5 * copyBytes, () => bytes).state;
    },
    /** Makes a copy one that was last used at second `second` of a time long ago. */
    use: (organizationUid: string, letter: string, second: number): void => {
      utimesSync(copyPath(copyOf(organizationUid, letter).copy), second, second);
    },
    /** The letters of the copies of an organization. */
    kept: (organizationUid: string): string =>
      Array.from('abcdefgh')
        .filter((letter) => existsSync(copyPath(copyOf(organizationUid, letter).copy)))
        .join(''),
    drafts: (organizationUid: string): string[] =>
      readdirSync(`${directory}/${organizationUid}`).filter((name) => !name.endsWith('.ttf')),
  };
}

t.test('the organization with most bytes loses the copy that it used longest ago', async (t) => {
  const { provide, use, kept, drafts } = createFolder(t);
  provide('org_small', 'a');
  use('org_small', 'a', 1);
  for (const [index, letter] of Array.from('abcd').entries()) {
    t.equal(provide('org_large', letter), 'written');
    use('org_large', letter, 100 - index);
  }
  t.equal(provide('org_large', 'e'), 'written');
  t.equal(kept('org_large'), 'abce', 'its own, although another one is older');
  t.equal(provide('org_small', 'b'), 'written');
  t.equal(kept('org_large'), 'abe');
  t.equal(kept('org_small'), 'ab');
  t.equal(provide('org_small', 'b'), 'sound');
  t.same(drafts('org_large'), []);
});

t.test('a copy of a render in progress stays, and the organization has to wait', async (t) => {
  const { provide, use, kept } = createFolder(t);
  provide('org_small', 'a');
  for (const letter of 'abcd') t.equal(provide('org_large', letter), 'written');
  t.equal(provide('org_large', 'e'), 'full');
  t.equal(provide('org_small', 'b'), 'written', 'one with few has space');
  t.equal(kept('org_large') + kept('org_small'), 'abcdab');
  use('org_large', 'b', 1);
  use('org_large', 'c', 1);
  t.equal(provide('org_large', 'e'), 'written');
  t.equal(kept('org_large'), 'ade');
});
