/** What a link reads from data tables: the row of a key, and lists in cells. */
import t from 'tap';
import type { Variable } from '#language/schema/template.ts';
import { parseQuery } from '../../src/http/query.ts';
import type { ValueNotes } from '../../src/render/parse-value.ts';
import { resolveVariables } from '../../src/render/values.ts';
import { publishedTemplate, textVariable } from '../fixtures/published.ts';

const name = textVariable('name');

t.test('a key of a table is found in any normal form, composed first', async (t) => {
  const document = publishedTemplate({
    variables: [name, { ...textVariable('points'), from: 'members.{{name}}.points' }],
  });
  const composed = '김 José';
  const decomposed = composed.normalize('NFD');
  const pointsOf = (rows: Record<string, string>, key: string): string | undefined => {
    const findRow = (_organization: string, _table: string, wanted: string) =>
      rows[wanted] === undefined ? undefined : () => rows[wanted];
    const query = parseQuery(`name=${encodeURIComponent(key)}`);
    return resolveVariables({ ...document, readsTables: true }, query, { findRow }).get('points');
  };
  for (const key of [composed, decomposed]) {
    t.equal(pointsOf({ [composed]: '1' }, key), '1');
    t.equal(pointsOf({ [decomposed]: '2' }, key), '2', 'a table of an earlier version');
    t.equal(pointsOf({ [composed]: '1', [decomposed]: '2' }, key), '1');
  }
});

t.test('a column of a table is found in any normal form', async (t) => {
  const [composed, decomposed] = ['prénom', 'prénom'.normalize('NFD')];
  for (const column of [composed, decomposed])
    for (const from of [composed, decomposed]) {
      const variables = [name, { ...textVariable('cell'), from: `members.{{name}}.${from}` }];
      const template = { ...publishedTemplate({ variables }), readsTables: true };
      const findRow = () => (wanted: string) => (wanted === column ? 'Zoé' : undefined);
      t.equal(resolveVariables(template, parseQuery('name=1'), { findRow }).get('cell'), 'Zoé');
    }
});

t.test('a row is found by the value as given, and then by the corrected one', async (t) => {
  const document = publishedTemplate(
    { variables: [name, { ...textVariable('points'), from: 'members.{{name}}.points' }] },
    { readsTables: true },
  );
  const pointsOf = (rows: Record<string, string>, key: string): string | undefined => {
    const findRow = (_organization: string, _table: string, wanted: string) =>
      rows[wanted] === undefined ? undefined : () => rows[wanted];
    return resolveVariables(document, parseQuery(`name=${encodeURIComponent(key)}`), {
      findRow,
    }).get('points');
  };
  for (const [given, corrected] of [
    ['="00123"', '00123'],
    ['O&#39;Brien', "O'Brien"],
    ['AT%26T', 'AT&T'],
  ] as const) {
    t.equal(pointsOf({ [given]: '1' }, given), '1', given);
    t.equal(pointsOf({ [corrected]: '2' }, given), '2', corrected);
    t.equal(pointsOf({ [given]: '1', [corrected]: '2' }, given), '1', 'as given first');
    t.equal(pointsOf({ [corrected]: '2' }, corrected), '2');
  }
});

t.test('a corrected cell is noted, and a list once', async (t) => {
  const list: Variable = {
    name: 'items',
    type: 'list',
    from: 'members.{{name}}.items',
    fields: [{ name: 'title', type: 'text', value: '' }],
    value: [],
  };
  const variables = [name, { ...textVariable('city'), from: 'members.{{name}}.city' }, list];
  const document = publishedTemplate({ variables }, { readsTables: true });
  const notesOf = (city: string, items: string): ValueNotes => {
    const notes: ValueNotes = {};
    const findRow = () => (column: string) => (column === 'city' ? city : items);
    resolveVariables(document, parseQuery('name=a'), { findRow }, notes);
    return notes;
  };
  t.same(notesOf('Bern', '[{"title":"A"}]'), {});
  t.same(notesOf('K&ouml;ln', '[]').corrected, new Set(['city']));
  const items = '[{"title":"A &amp; B"},{"title":"C &amp; D"}]';
  t.same(notesOf('Bern', items).corrected, new Set(['items']));
});

t.test('lists of data tables are read up to a number of characters in all', async (t) => {
  const lists = Array.from({ length: 10 }, (_, index): Variable => ({
    name: `list${index}`,
    type: 'list',
    from: `menu.{{name}}.c${index}`,
    fields: [{ name: 'title', type: 'text', value: '' }],
    value: [{ title: 'sample' }],
  }));
  const document = publishedTemplate({ variables: [name, ...lists] }, { readsTables: true });
  const longest = JSON.stringify([{ title: 'x', other: 'y'.repeat(7900) }]).padEnd(8000);
  const values = resolveVariables(document, parseQuery('name=a'), {
    findRow: () => () => longest,
  });
  const drawn = lists.map((list) => values.get(list.name));
  t.same(
    drawn.slice(0, 8),
    Array.from({ length: 8 }, () => '[["x"]]'),
  );
  t.same(drawn.slice(8), ['', ''], 'the others are empty, and none has its samples');
});

t.test('a template of before the limit reads 16 tables, and has defaults for more', async (t) => {
  const cells = Array.from({ length: 18 }, (_, index) => ({
    ...textVariable(`v${index}`, { value: 'default' }),
    from: `t${index % 17}.{{name}}.c`,
  }));
  const document = publishedTemplate({ variables: [name, ...cells] }, { readsTables: true });
  const values = resolveVariables(document, parseQuery('name=a'), {
    findRow: () => () => 'cell',
  });
  const read = cells.filter((variable) => values.get(variable.name) === 'cell');
  t.equal(read.length, 17, 'the last one reads the first table again');
  t.equal(values.get('v16'), 'default');
});
