/** Finds the rows of a list that have problems: by code, by variable, and by whether a person must act. */
import type { Database } from '../../../store/database/database.ts';
import { storeErrors } from '../../../store/database/store-error.ts';

type Statement = ReturnType<Database['prepare']>;

/** One problem of one row. */
export interface RowProblem {
  row: number;
  code: string;
  /** The variable or column with the problem; null if the problem concerns the whole row. */
  variable: string | null;
  message: string;
  /** 1 if the row needs a person, 0 if it only falls back to defaults; null from earlier releases, until `fillNeeds`. */
  needsYou: 0 | 1 | null;
}

/** A row with problems. A row has one of both groups, whatever the number of its problems. */
export interface ProblemRow {
  row: number;
  needsYou: boolean;
}

/** Which rows are wanted. */
export interface ProblemFilter {
  /** Only rows with a problem of this code. */
  code?: string | undefined;
  /** Only rows with a problem of one of these variables or columns; with `code`, of this code. */
  variables?: readonly string[] | undefined;
  /** Only rows that need a person, or only those that need none. */
  needsYou?: boolean | undefined;
}

/** Code of problems that the list reader found. A new proof deletes all problems except these. */
export const badRowCode = 'BAD_ROW';

/** The table. Its indexes follow after the rows of a new list. */
export const problemSchema = `
  CREATE TABLE problems (
    row INTEGER NOT NULL, code TEXT NOT NULL, variable TEXT, message TEXT NOT NULL, needs_you INTEGER
  ) STRICT;`;

const indexes = {
  problems_of_need: '(needs_you, row)',
  problems_of_code: '(code, needs_you, row)',
  problems_of_variable: '(variable, needs_you, row)',
  problems_of_both: '(code, variable, needs_you, row)',
};

export function createProblemIndexes(db: Database): void {
  db.exec('CREATE INDEX IF NOT EXISTS problems_by_row ON problems (row)');
  for (const [name, columns] of Object.entries(indexes)) {
    db.exec(`CREATE INDEX IF NOT EXISTS ${name} ON problems ${columns}`);
  }
}

const problemColumns = 'row, code, variable, message, needs_you AS needsYou';
const reading = 'Reading the problems of a list';

/** The problems of an open list. Methods throw a `StoreError`. Only `lacksNeeds` and `fillNeeds` take any list. */
export class ProblemRows {
  readonly #db: Database;
  /** Prepared at the first use, because a list of an earlier release lacks a column until `fillNeeds`. */
  readonly #statements = new Map<string, Statement>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Adds a problem; the caller has a transaction. */
  add(problem: RowProblem): void {
    this.#prepare(
      `INSERT INTO problems (row, code, variable, message, needs_you)
       VALUES (@row, @code, @variable, @message, @needsYou)`,
    ).run(problem);
  }

  /** Problems of up to `limit` rows after `after`, in the order of the list. */
  after(after: number, limit: number): RowProblem[] {
    return this.#all(
      `SELECT ${problemColumns} FROM problems WHERE row IN
         (SELECT DISTINCT row FROM problems WHERE row > @after ORDER BY row LIMIT @limit)
       ORDER BY row, rowid`,
      { after, limit },
    ) as RowProblem[];
  }

  /** Problems of a row, in the order in which they were found. */
  of(row: number): RowProblem[] {
    return this.#all(`SELECT ${problemColumns} FROM problems WHERE row = @row ORDER BY rowid`, {
      row,
    }) as RowProblem[];
  }

  /** Up to `limit` rows: first those that need a person, then the others, each part in order. */
  byNeed(after: ProblemRow | undefined, limit: number, filter: ProblemFilter): ProblemRow[] {
    const found: ProblemRow[] = [];
    for (const needsYou of partsOf(filter)) {
      if (needsYou && after?.needsYou === false) continue;
      const from = after?.needsYou === needsYou ? after.row : 0;
      const left = limit - found.length;
      if (left > 0) found.push(...this.#find(needsYou, from, left, filter));
    }
    return found;
  }

  /** Up to `limit` rows after `row`, in the order of the list. */
  inOrder(row: number, limit: number, filter: ProblemFilter): ProblemRow[] {
    const parts = partsOf(filter).flatMap((needsYou) => this.#find(needsYou, row, limit, filter));
    return parts.toSorted((a, b) => a.row - b.row).slice(0, limit);
  }

  /** Whether a row needs a person; undefined for a row without problems. */
  needOf(row: number): boolean | undefined {
    const [found] = this.#all('SELECT needs_you AS need FROM problems WHERE row = @row LIMIT 1', {
      row,
    }) as { need: number }[];
    return found && found.need === 1;
  }

  /** The codes that occur, in alphabetical order; with `needsYou`, in rows of this part. */
  codes({ needsYou }: ProblemFilter): string[] {
    const codes: string[] = [];
    for (let code = this.#codeAfter(''); code !== null; code = this.#codeAfter(code)) {
      const isFound = partsOf({ needsYou }).some(
        (part) => this.#find(part, 0, 1, { code }).length > 0,
      );
      if (isFound) codes.push(code);
    }
    return codes;
  }

  /** Whether the list, or its proof, is of an earlier release, so that `fillNeeds` has work. */
  lacksNeeds(): boolean {
    return storeErrors(reading, () => {
      if (!hasNeedColumn(this.#db)) return true;
      const find = this.#db.prepare('SELECT 1 FROM problems WHERE needs_you IS NULL LIMIT 1');
      return find.get() !== undefined;
    });
  }

  /**
   * Adds to a list of an earlier release which rows need a person, in one transaction. Its messages say which values
   * fall back to a default. A million problems take seconds.
   */
  fillNeeds(): void {
    if (!this.lacksNeeds()) return;
    storeErrors('Adding the order of rows to a list', () =>
      this.#db.transaction(() => addNeeds(this.#db)).immediate(),
    );
  }

  #codeAfter(code: string): string | null {
    const [found] = this.#all('SELECT min(code) AS next FROM problems WHERE code > @code', {
      code,
    }) as { next: string | null }[];
    return found?.next ?? null;
  }

  /** Rows of one part, in order. */
  #find(needsYou: boolean, after: number, limit: number, filter: ProblemFilter): ProblemRow[] {
    const { code, variables } = filter;
    const values = { needs: Number(needsYou), code, after, limit };
    const find = (variable?: string): number[] => {
      const sql = rowsSql(code !== undefined, variable !== undefined);
      return (this.#all(sql, { ...values, variable }) as { row: number }[]).map(({ row }) => row);
    };
    const rows = variables === undefined ? find() : variables.flatMap((name) => find(name));
    const first = [...new Set(rows)].toSorted((a, b) => a - b).slice(0, limit);
    return first.map((row) => ({ row, needsYou }));
  }

  #all(sql: string, values: object): unknown[] {
    return storeErrors(reading, () => this.#prepare(sql).all(values));
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

function hasNeedColumn(db: Database): boolean {
  const find = db.prepare("SELECT 1 FROM pragma_table_info('problems') WHERE name = 'needs_you'");
  return find.get() !== undefined;
}

function addNeeds(db: Database): void {
  if (!hasNeedColumn(db)) {
    db.exec('ALTER TABLE problems ADD COLUMN needs_you INTEGER');
    db.exec('DROP INDEX IF EXISTS problems_by_code');
  }
  db.exec(
    `UPDATE problems SET needs_you = EXISTS (
       SELECT 1 FROM problems AS other WHERE other.row = problems.row
         AND NOT (other.code = 'EMPTY' AND other.message LIKE '%: its default is used')
     ) WHERE needs_you IS NULL`,
  );
  createProblemIndexes(db);
}

/** Names the index, because without statistics SQLite might read all rows of the list in their order. */
function rowsSql(hasCode: boolean, hasVariable: boolean): string {
  const byVariable = hasVariable ? 'problems_of_variable' : 'problems_of_need';
  const byCode = hasVariable ? 'problems_of_both' : 'problems_of_code';
  const code = hasCode ? 'code = @code AND ' : '';
  const variable = hasVariable ? 'variable = @variable AND ' : '';
  return `SELECT DISTINCT row FROM problems INDEXED BY ${hasCode ? byCode : byVariable}
    WHERE ${code}${variable}needs_you = @needs AND row > @after ORDER BY row LIMIT @limit`;
}

/** The parts that a filter asks for, those that need a person first. */
function partsOf({ needsYou }: Pick<ProblemFilter, 'needsYou'>): boolean[] {
  return needsYou === undefined ? [true, false] : [needsYou];
}
