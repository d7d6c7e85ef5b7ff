/** The dirt of lists that stand in memory, without a service. */
import type { ScalarVariable } from '#language/schema/template.ts';
import type { Problem } from '../../../../src/mailings/campaigns/campaign.ts';
import { lookedColumns } from '../../../../src/mailings/campaigns/dirt/looked-columns.ts';
import { columnDirt, RowDirt } from '../../../../src/mailings/campaigns/dirt/row-dirt.ts';
import type { ColumnDirt } from '../../../../src/mailings/campaigns/dirt/row-dirt.ts';
import { ListSurvey } from '../../../../src/mailings/campaigns/dirt/survey.ts';
import type { ListDirt } from '../../../../src/mailings/campaigns/dirt/survey.ts';
import { mappedColumns } from '../../../../src/mailings/campaigns/list/row-values.ts';
import { publishedTemplate } from '../../../fixtures/published.ts';

/** What a list is found to have: the problems of each row, and the sentences about columns. */
export interface FoundDirt {
  rows: Problem[][];
  columns: ColumnDirt[];
}

/** Finds the dirt of rows with these columns: each is a text variable, `photo` an image, `email` the recipient. */
export function findDirt(columns: readonly string[], rows: readonly string[][]): FoundDirt {
  const variables = columns
    .filter((name) => name !== 'email' && name !== 'country')
    .map((name): ScalarVariable => ({
      name,
      type: name === 'photo' ? 'image' : 'text',
      value: 'x',
    }));
  const template = publishedTemplate({ variables });
  const facts = { columns, ...(columns.includes('email') ? { recipientColumn: 'email' } : {}) };
  const mapping = Object.fromEntries(variables.map(({ name }) => [name, name]));
  const looked = lookedColumns(facts, mappedColumns(facts, mapping, template), template);
  const survey = new ListSurvey(looked, columns, template.document);
  for (const [index, row] of rows.entries()) survey.add(index + 1, row);
  // As a checkpoint stores it.
  const dirt = JSON.parse(JSON.stringify(survey.conclude())) as ListDirt;
  const found = new RowDirt(looked, facts, template.document, dirt);
  return { rows: rows.map((row) => found.find(row)), columns: columnDirt(looked, dirt) };
}

/** The code of one cell in a column; undefined for a clean one. */
export function codeOf(column: string, cell: string): string | undefined {
  return findDirt([column], [[cell]]).rows[0]?.[0]?.code;
}
