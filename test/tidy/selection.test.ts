/** A run of tests has the files that its names mean, and fails for a name that means none. */
import { join } from 'node:path';
import t from 'tap';
import { filesOfNamed, filesOfSlow, slowPrograms } from '../selection.ts';

const root = join(import.meta.dirname, '../..');

t.test(
  'a slow program has its files, and the error of a wrong or missing name lists all programs',
  async (t) => {
    t.same(filesOfSlow(['kills']), slowPrograms['kills']);
    t.same(filesOfSlow(['laws', 'oracles']), [
      ...(slowPrograms['laws'] ?? []),
      ...(slowPrograms['oracles'] ?? []),
    ]);
    const list = 'kills, machines, databases, oracles, laws, pages, releases';
    const unknown = (name: string) =>
      `There is no slow program ${name}; expected one or more of: ${list}.`;
    t.throws(() => filesOfSlow(['kil']), { message: unknown('kil') });
    t.throws(() => filesOfSlow(['kills', 'toString']), { message: unknown('toString') });
    t.throws(() => filesOfSlow([]), {
      message: `No slow program is named; expected one or more of: ${list}.`,
    });
  },
);

t.test('a name without a test file is refused, because a run of nothing would pass', async (t) => {
  t.same(filesOfNamed(root, ['test/tidy.test.ts']), ['test/tidy.test.ts']);
  t.ok(filesOfNamed(root, ['test/tidy']).includes('test/tidy/selection.test.ts'));
  for (const name of ['test/tidi', 'test/tidi.test.ts', 'kills']) {
    t.throws(() => filesOfNamed(root, ['test/tidy', name]), {
      message: `${name} has no test file; expected a test file, or a folder that has some.`,
    });
  }
});
