/** Laws of data tables: a look-up equals the last acknowledged write, and `from` has one reading. */
import fc from 'fast-check';
import t from 'tap';
import { keyForms } from '#language/normal-form.ts';
import { parseTableSource, tableSourcePattern } from '#language/values/table-source.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { startPool } from '../fixtures/render-pool.ts';
import { extent } from '../helpers/extent.ts';

const pool = await startPool(t);
const columns = ['id', 'name', 'points'] as const;

/** Keys that are alike, quoted, or of several scripts; `é` in both normal forms is one key. */
const keys = ['a', 'A', 'é', 'e\u0301', "'", '"x"', 'a b', '%00', '名', '-1', '01', '1'];
const key = fc.constantFrom(...keys);
const cell = fc.oneof(
  fc.constantFrom('', '0', ' x ', "'; --", '{{id}}'),
  // A list with U+FFFD is refused: a character was lost.
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\uFFFD', '')),
);
const wholeRow = fc.record({ id: key, name: cell, points: cell });
const change = fc.record({ id: key, name: cell, points: cell }, { requiredKeys: ['id'] });
const write = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      rows: fc.uniqueArray(wholeRow, {
        minLength: 1,
        maxLength: 8,
        selector: ({ id }) => id.normalize(),
      }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('patch' as const),
      rows: fc.array(change, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deleteRow' as const), id: key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const) }) },
);

type Row = Partial<Record<(typeof columns)[number], string>>;

t.test('a look-up equals the last acknowledged write', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { tables } = service.stores;
  const address = '/v1/tables/members';
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 12 }), async (writes) => {
      await call('DELETE', address);
      let model: Map<string, Row> | undefined;
      for (const each of writes) {
        if (each.kind === 'put') {
          const body = each.rows.map((row) => `${JSON.stringify(row)}\n`).join('');
          const { status } = await call('PUT', `${address}?key=id`, { body });
          if (status !== (model === undefined ? 201 : 200)) return false;
          model = new Map(each.rows.map((row) => [row.id.normalize(), row]));
        } else if (each.kind === 'patch') {
          const { status } = await call('PATCH', address, { body: { rows: each.rows } });
          if (status !== (model === undefined ? 404 : 200)) return false;
          for (const row of each.rows) {
            const id = row.id.normalize();
            model?.set(id, { ...model.get(id), ...row });
          }
        } else if (each.kind === 'deleteRow') {
          const { status } = await call('DELETE', `${address}/rows/${encodeURIComponent(each.id)}`);
          if (status !== (model?.delete(each.id.normalize()) === true ? 204 : 404)) return false;
        } else {
          const { status } = await call('DELETE', address);
          if (status !== (model === undefined ? 404 : 204)) return false;
          model = undefined;
        }
        for (const id of keys) {
          const [found] = keyForms(id).flatMap(
            (form) => tables.findRow('org_a', 'members', form) ?? [],
          );
          const expected = model?.get(id.normalize());
          if ((found === undefined) !== (expected === undefined)) return false;
          const isOther = (column: (typeof columns)[number]): boolean =>
            found?.(column)?.normalize() !== (expected && (expected[column] ?? '').normalize());
          if (columns.some(isOther)) return false;
        }
        const facts = tables.findTable('org_a', 'members');
        if (facts?.rows !== model?.size) return false;
      }
      return true;
    }),
    { numRuns: extent(8, 40) },
  );
});

t.test('from has one reading', async () => {
  const pattern = new RegExp(tableSourcePattern);
  const name = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,63}$/);
  const variable = fc
    .string({ minLength: 1, maxLength: 40 })
    .filter((text) => /^[^{}]+$/.test(text) && text.trim() === text);
  const column = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text.trim() === text);
  fc.assert(
    fc.property(name, variable, column, (table, keyVariable, cellColumn) => {
      const text = `${table}.{{${keyVariable}}}.${cellColumn}`;
      const parsed = parseTableSource(text);
      const isAllowed = pattern.test(text);
      return (
        isAllowed &&
        table === parsed.table &&
        keyVariable === parsed.keyVariable &&
        cellColumn === parsed.column
      );
    }),
  );
});
