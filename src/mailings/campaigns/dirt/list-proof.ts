/** The dirt of a list in its proof: surveyed once over all rows, then found row by row. */
import { mapConcurrently } from '../run-rows.ts';
import { dirtCodes } from '../campaign.ts';
import type { Problem } from '../campaign.ts';
import type { ProofSubject } from '../proof/subject.ts';
import { lookedColumns } from './looked-columns.ts';
import type { LookedColumn } from './looked-columns.ts';
import { columnDirt, RowDirt } from './row-dirt.ts';
import type { ColumnDirt } from './row-dirt.ts';
import { ListSurvey } from './survey.ts';
import type { ListDirt } from './survey.ts';

type Subject = Pick<ProofSubject, 'facts' | 'columns' | 'template' | 'list' | 'signal'>;

/** Rows that the survey reads at a time. */
const batchRows = 200;

/** Columns that the verdict names at most. */
const namedMax = 3;

const codes: ReadonlySet<string> = new Set(dirtCodes);

/** Whether a problem is one of dirt. */
export function isDirt({ code }: Problem): boolean {
  return codes.has(code);
}

/** What a proof knows of the dirt of its list. */
export class ListProof {
  readonly dirt: ListDirt;
  /** Sentences about columns. */
  readonly columns: readonly ColumnDirt[];
  /** A sentence of the verdict: the columns that are dirty as a whole. Empty without one. */
  readonly sentence: string;
  readonly #rows: RowDirt;

  private constructor(
    { facts, template }: Subject,
    looked: readonly LookedColumn[],
    dirt: ListDirt,
  ) {
    this.dirt = dirt;
    this.columns = columnDirt(looked, dirt);
    this.sentence = sentenceOf(this.columns);
    this.#rows = new RowDirt(looked, facts, template.document, dirt);
  }

  /** Reads the whole list, unless `known` has its facts. Rejects with the reason of the subject's signal. */
  static async open(subject: Subject, known: ListDirt | undefined): Promise<ListProof> {
    const { facts, columns, template } = subject;
    const looked = lookedColumns(facts, columns, template);
    return new ListProof(subject, looked, known ?? (await surveyed(subject, looked)));
  }

  /** The dirt of a row. A value that has another problem is not named twice. */
  find(cells: readonly string[], known: readonly Problem[]): Problem[] {
    const found = this.#rows.find(cells);
    if (found.length === 0 || known.length === 0) return found;
    const named = new Set(known.map(({ variable }) => variable));
    return found.filter(({ variable }) => variable === undefined || !named.has(variable));
  }
}

async function surveyed(
  { facts, template, list, signal }: Subject,
  looked: readonly LookedColumn[],
): Promise<ListDirt> {
  const survey = new ListSurvey(looked, facts.columns, template.document);
  for (let last = 0; ;) {
    signal.throwIfAborted();
    const rows = list.rowsAfter(last, batchRows);
    const end = rows.at(-1);
    if (end === undefined) return survey.conclude();
    await mapConcurrently(rows, 1, ({ row, cellsJson }) => {
      if (cellsJson !== null) survey.add(row, JSON.parse(cellsJson) as string[]);
    });
    last = end.row;
  }
}

function sentenceOf(columns: readonly ColumnDirt[]): string {
  const names = [
    ...new Set(columns.filter((each) => each.whole_column).map(({ column }) => `"${column}"`)),
  ];
  if (names.length === 0) return '';
  const shown = names.slice(0, namedMax).join(', ');
  const more = names.length > namedMax ? ` and ${names.length - namedMax} more` : '';
  return names.length === 1
    ? `The column ${shown} needs you as a whole.`
    : `The columns ${shown}${more} need you as a whole.`;
}
