/** What a proof says of the cells of a row, and of the cells of data tables that it chooses. */
import t from 'tap';
import type { Variable } from '#language/schema/template.ts';
import { checkCells, mappedColumns } from '../../../src/mailings/campaigns/list/row-values.ts';
import type { TableLookup } from '../../../src/render/table-values.ts';
import { publishedTemplate } from '../../fixtures/published.ts';

/** Characters that no font draws: a zero width space, a Hangul filler, a soft hyphen, a word joiner. */
const invisible = ['\u200B', '\u3164', '\u00AD', ' \u2060\u200B '];

const words = ['null', 'N/A'] as const;

/** The codes of a row, `default` for a default that stands in, with what the link draws. */
function judge(
  variables: Variable[],
  cells: Record<string, string>,
  tables: TableLookup = { findRow: () => undefined },
): { codes: string[]; values: Record<string, string>; messages: string } {
  const template = publishedTemplate(
    { variables, emptyWords: [...words] },
    { readsTables: variables.some(({ from }) => from !== undefined) },
  );
  const columns = Object.keys(cells);
  const mapping = Object.fromEntries(columns.map((column) => [column, column]));
  const mapped = mappedColumns({ columns }, mapping, template);
  const { values, problems } = checkCells(template, mapped, Object.values(cells), tables);
  return {
    codes: problems.map(
      ({ code, variable, isDefault }) =>
        `${isDefault === true ? 'default' : code} ${variable ?? ''}`,
    ),
    values: Object.fromEntries(values),
    messages: problems.map(({ message }) => message).join('\n'),
  };
}

const name: Variable = { name: 'name', type: 'text', value: 'friend' };
const city: Variable = { name: 'city', type: 'text', value: '' };
const note: Variable = { name: 'note', type: 'text', value: 'x', whenEmpty: 'empty' };

t.test('empty words and invisible characters are empty cells', async (t) => {
  for (const cell of ['', ' ', '\u0000', 'null', ' n/a ', ...invisible]) {
    const { codes, values } = judge([name, city, note], { name: cell, city: cell, note: cell });
    t.same(codes, ['default name', 'EMPTY city'], JSON.stringify(cell));
    t.same(values, { name: 'friend', city: '', note: '' }, JSON.stringify(cell));
  }
  for (const cell of ['None', 'null point', '\u200BAnn', '👩\u200D🚀', '-first_name- x']) {
    const { codes, values } = judge([name, city, note], { name: cell, city: cell, note: cell });
    t.same(codes, [], JSON.stringify(cell));
    t.same(values, { name: cell, city: cell, note: cell });
  }
});

t.test('cells of data tables are judged like those of a list', async (t) => {
  const id: Variable = { name: 'id', type: 'text', value: '' };
  const variables = [
    id,
    ...[name, city, note].map((each) => ({ ...each, from: `members.{{id}}.x` })),
  ];
  const ofCell = (cell: string): ReturnType<typeof judge> =>
    judge(variables, { id: '7' }, { findRow: () => () => cell });
  t.same(ofCell('Ann').codes, []);
  for (const cell of ['', 'null', 'N/A', ...invisible]) {
    t.same(ofCell(cell).codes, ['default name', 'EMPTY city'], JSON.stringify(cell));
  }
  for (const cell of ['*|FNAME|*', 'Hello {{first_name}}']) {
    const { codes, messages } = ofCell(cell);
    t.same(codes, ['UNMERGED name', 'UNMERGED city', 'UNMERGED note'], cell);
    t.notMatch(messages, /FNAME|first_name|Hello/, 'the cell is not repeated');
  }
  t.same(judge(variables, { id: '8' }).codes, ['default name', 'EMPTY city'], 'an unknown key');
});
