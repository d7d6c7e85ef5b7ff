import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { AppError } from '../../../../src/foundation/errors.ts';
import { readListFile } from '../list-files.ts';
import { columns, makeRows, valuesOfRow, type WrittenList } from './rows.ts';

const { programs, lists } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'written-lists.json'), 'utf8'),
) as { programs: Readonly<Record<string, string>>; lists: readonly WrittenList[] };

// Every list is detected and read, most of them by models of languages that are loaded first.
t.setTimeout(0);

/** Rows from which on a list must be read right, but for 5 of 1,000. */
const largeRows = 20;

interface Count {
  lists: number;
  right: number;
  asked: number;
  silent: number;
}

/** What the product reads of a list: whether all is right, and whether it asks. */
async function read(list: WrittenList): Promise<{ fault?: string; isAsked: boolean }> {
  try {
    const found = await readListFile(join(import.meta.dirname, list.file));
    const isAsked = found.encodingDoubt !== undefined;
    const expected = [columns, ...makeRows(list).map(valuesOfRow)];
    const values = [[...found.columns], ...found.rows.map((row) => row.values)];
    const at = expected.findIndex(
      (row, index) => JSON.stringify(values[index]) !== JSON.stringify(row),
    );
    if (at === -1 && values.length === expected.length) return { isAsked };
    const encoding = 'encoding' in found.format ? found.format.encoding : 'xlsx';
    const fault = `${encoding}, ${found.problems[0]?.message}: ${JSON.stringify(values[at])} for ${JSON.stringify(expected[at])}`;
    return { fault, isAsked };
  } catch (error) {
    if (error instanceof AppError) return { fault: error.message, isAsked: true };
    throw error;
  }
}

async function countAll(some: readonly WrittenList[]): Promise<Count> {
  const sum = { lists: 0, right: 0, asked: 0, silent: 0 };
  const parts = new Map<string, Count>();
  for (const list of some) {
    const { fault, isAsked } = await read(list);
    for (const part of [list.program, `${list.rows} rows`, 'all']) {
      const count =
        part === 'all' ? sum : (parts.get(part) ?? { lists: 0, right: 0, asked: 0, silent: 0 });
      if (part !== 'all') parts.set(part, count);
      count.lists += 1;
      count.right += Number(fault === undefined);
      count.asked += Number(isAsked);
      count.silent += Number(fault !== undefined && !isAsked);
    }
    if (fault !== undefined) t.comment(`${list.file}: ${fault}`);
  }
  for (const [part, count] of parts)
    t.comment(
      `${part} ${programs[part] ?? ''}: ${count.lists} lists, ${count.right} right, ${count.asked} asked`,
    );
  return sum;
}

t.test(
  'of lists with 20 rows and more that programs wrote, 99.5 of 100 are read right',
  async (t) => {
    const sum = await countAll(lists.filter(({ rows }) => rows >= largeRows));
    t.ok(sum.right >= 0.995 * sum.lists, `${sum.right} of ${sum.lists} are right`);
  },
);

t.test('no shorter list that a program wrote is misread without a question', async (t) => {
  const sum = await countAll(lists.filter(({ rows }) => rows < largeRows));
  t.equal(sum.silent, 0);
  t.ok(sum.asked <= 0.15 * sum.lists, `${sum.asked} of ${sum.lists} ask`);
});

t.test('the corpus has the size that its figures claim', async (t) => {
  t.ok(lists.length >= 160, `${lists.length} lists`);
  t.ok(new Set(lists.map(({ language }) => language)).size >= 25);
  const bytes = lists.map(({ file }) => statSync(join(import.meta.dirname, file)).size);
  t.ok(bytes.reduce((all, each) => all + each, 0) <= 500_000);
});
