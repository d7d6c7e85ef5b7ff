/** Rows with problems: those that need a person first, page by page, with filters, also in lists of earlier releases. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import {
  createCampaignList,
  openCampaignList,
} from '../../../src/mailings/store/campaigns/campaign-list.ts';
import {
  readProblems,
  writeProblems,
} from '../../../src/mailings/campaigns/shared/problem-file.ts';
import type { CampaignRun } from '../../../src/mailings/store/campaigns/campaign-records.ts';
import { ProblemRows } from '../../../src/mailings/store/campaigns/problem-rows.ts';
import type {
  ProblemFilter,
  ProblemRow,
  RowProblem,
} from '../../../src/mailings/store/campaigns/problem-rows.ts';
import { openAsItIs } from '../../../src/store/database/database.ts';

// Test files share a process, and `t.testdir()` of one would remove that of another.
const folder = mkdtempSync(join(tmpdir(), 'platen-problem-rows-'));
t.teardown(() => rmSync(folder, { recursive: true }));
const checkpoint = { number: 1, row: 0, done: 0, stateJson: '{}' };

/** The problems of rows 1 to `rowCount`: each third falls back, each fifth needs a person, every 15th both. */
function someProblems(rowCount: number): RowProblem[] {
  return Array.from({ length: rowCount }, (_, index) => index + 1).flatMap((row): RowProblem[] => {
    const needsYou = row % 5 === 0 ? 1 : 0;
    const message = '"photo" is empty: its default is used';
    const empty = { row, code: 'EMPTY', variable: 'photo', message, needsYou } as const;
    const tag = { row, code: 'UNMERGED', variable: 'name', message: 'a tag', needsYou } as const;
    return [...(row % 3 === 0 ? [empty] : []), ...(row % 5 === 0 ? [tag] : [])];
  });
}

function newList(name: string, problems: readonly RowProblem[]): string {
  const path = join(folder, name);
  const writer = createCampaignList(path, { bytesMax: 1e9, refusal: '' });
  const cellsJson = '["a"]';
  const rows = problems.map(({ row }) => ({ row, line: row + 1, cellsJson, digest: row }));
  writer.add([...new Map(rows.map((each) => [each.row, each])).values()], []);
  writer.finish();
  const list = openCampaignList(path);
  list.commit('proof', checkpoint, problems);
  list.close();
  return path;
}

function withProblems<Result>(path: string, work: (problems: ProblemRows) => Result): Result {
  const list = openCampaignList(path);
  try {
    return work(list.problems);
  } finally {
    list.close();
  }
}

/** All rows, in pages of `limit`. */
function pages(problems: ProblemRows, limit: number, filter: ProblemFilter = {}): ProblemRow[] {
  const found: ProblemRow[] = [];
  for (;;) {
    const page = problems.byNeed(found.at(-1), limit, filter);
    if (page.length === 0) return found;
    found.push(...page);
  }
}

/** The statement with which SQLite says how it would run `sql`. */
const explained = (sql: string): string => ['EXPLAIN', 'QUERY', 'PLAN', sql].join(' ');

const problems = someProblems(60);
const path = newList('new.db', problems);
const upTo60 = Array.from({ length: 60 }, (_, index) => index + 1);
const needing = upTo60.filter((row) => row % 5 === 0);
const falling = upTo60.filter((row) => row % 3 === 0 && row % 5 !== 0);

t.test('rows that need a person come first, in pages of every length', (t) => {
  withProblems(path, (each) => {
    for (const limit of [1, 7, needing.length, 1000]) {
      t.same(
        pages(each, limit),
        [
          ...needing.map((row) => ({ row, needsYou: true })),
          ...falling.map((row) => ({ row, needsYou: false })),
        ],
        `by ${limit}`,
      );
    }
    t.same(
      pages(each, 7).map(({ row }) => each.needOf(row)),
      pages(each, 7).map(({ needsYou }) => needsYou),
      'a row alone says in which part it is',
    );
    t.equal(each.needOf(1), undefined);
  });
  t.end();
});

t.test('filters by code, variable and need have all of their rows, and no other', (t) => {
  withProblems(path, (each) => {
    const rowsOf = (filter: ProblemFilter): number[] =>
      pages(each, 4, filter).map(({ row }) => row);
    const empty = upTo60.filter((row) => row % 3 === 0);
    const both = empty.filter((row) => row % 5 === 0);
    t.same(rowsOf({ code: 'UNMERGED' }), needing);
    t.same(rowsOf({ code: 'EMPTY' }), [...both, ...falling]);
    t.same(rowsOf({ variables: ['photo'], needsYou: true }), both);
    t.same(rowsOf({ code: 'EMPTY', variables: ['name'] }), []);
    t.same(rowsOf({ variables: ['name', 'photo'] }), [...needing, ...falling]);
    t.same(rowsOf({ needsYou: false }), falling);
    const inOrder = [...needing, ...falling].toSorted((a, b) => a - b);
    t.same(
      each.inOrder(0, 1000, {}).map(({ row }) => row),
      inOrder,
      'the order of the list has no parts',
    );
    t.same(
      each.inOrder(10, 5, {}).map(({ row }) => row),
      inOrder.filter((row) => row > 10).slice(0, 5),
    );
    t.same([each.codes({}), each.codes({ needsYou: false })], [['EMPTY', 'UNMERGED'], ['EMPTY']]);
  });
  t.end();
});

t.test('each read follows an index, and scans and sorts nothing', (t) => {
  const db = openAsItIs(path);
  const statements = new Set<string>();
  const spied = new Proxy(db, {
    get: (target, name) =>
      name !== 'prepare'
        ? (Reflect.get(target, name) as unknown)
        : (sql: string) => {
            statements.add(sql);
            return target.prepare(sql);
          },
  });
  const each = new ProblemRows(spied);
  for (const code of [undefined, 'EMPTY'])
    for (const variables of [undefined, ['name', 'photo']])
      each.byNeed(undefined, 3, { code, variables });
  t.equal(each.needOf(5), true);
  t.same(each.codes({}), ['EMPTY', 'UNMERGED']);
  t.equal(each.of(15).length, 2);
  t.equal(statements.size, 7);
  for (const sql of statements) {
    const values = { needs: 1, code: 'x', variable: 'x', after: 0, limit: 1, row: 1 };
    const steps = db.prepare<[object], { detail: string }>(explained(sql)).all(values);
    for (const { detail } of steps) t.match(detail, /^SEARCH problems USING /, sql);
  }
  db.close();
  t.end();
});

/** A list as releases before this order wrote it. */
function oldList(name: string): string {
  const old = newList(name, problems);
  const db = openAsItIs(old);
  for (const index of ['need', 'code', 'variable', 'both'])
    db.exec(`DROP INDEX problems_of_${index}`);
  db.exec('ALTER TABLE problems DROP COLUMN needs_you');
  db.exec('CREATE INDEX problems_by_code ON problems (code, row)');
  db.close();
  return old;
}

t.test('a list of an earlier release gets its order, and then answers like a new one', (t) => {
  const expected = withProblems(path, (each) => pages(each, 1000));
  const old = oldList('old.db');
  withProblems(old, (each) => {
    t.equal(each.lacksNeeds(), true);
    each.fillNeeds();
    t.equal(each.lacksNeeds(), false);
    t.same(pages(each, 1000), expected);
  });
  const db = openAsItIs(old);
  db.exec("INSERT INTO problems (row, code, message) VALUES (61, 'UNMERGED', 'a tag')");
  db.close();
  withProblems(old, (each) => {
    t.equal(each.lacksNeeds(), true, 'an earlier release that proves it again leaves no order');
    each.fillNeeds();
    t.equal(each.needOf(61), true);
  });
  t.end();
});

t.test(
  'problems that another node found keep their order, also those of an earlier release',
  (t) => {
    const file = join(folder, 'problems.jsonl');
    const run = { number: 2, done: 60 } as CampaignRun;
    const expected = withProblems(path, (each) => pages(each, 1000));
    writeProblems(path, file);
    const copy = newList('copy.db', []);
    readProblems(file, copy, run);
    t.same(
      withProblems(copy, (each) => pages(each, 1000)),
      expected,
    );
    const old = oldList('old-node.db');
    writeProblems(old, file);
    readProblems(file, copy, run);
    t.same(
      withProblems(copy, (each) => pages(each, 1000)),
      expected,
    );
    t.end();
  },
);
