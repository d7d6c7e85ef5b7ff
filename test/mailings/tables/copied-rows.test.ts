/** The file of rows of a node: what changes it, and what leaves it alone. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { damage } from '../../helpers/damage.ts';
import { mergeRows } from '../../../src/mailings/store/tables/change-rows.ts';
import {
  applyRows,
  fillRows,
  readRowPart,
  readRowPosition,
} from '../../../src/mailings/store/tables/copied-rows.ts';
import type { RowPosition } from '../../../src/mailings/store/tables/copied-rows.ts';
import { sizeOfRow } from '../../../src/mailings/store/tables/row-file.ts';
import { toHex, writeRowText } from '../../../src/mailings/store/tables/row-text.ts';

type Rows = readonly (readonly [key: string, name: string])[];

const json = (name: string): string => JSON.stringify([name]);
const textOf = (rows: Rows): string =>
  rows.map(([key, name]) => writeRowText(key, json(name))).join('\n');
const figuresOf = (rows: Rows): { rows: number; bytes: number } => ({
  rows: rows.length,
  bytes: rows.reduce((sum, [key, name]) => sum + sizeOfRow(key, json(name)), 0),
});

const uploaded: Rows = [
  ['a', 'Ada'],
  ['b', 'tab\tline\nnul\u0000'],
  ['é', 'José'],
];

function fill(t: Test, rows: Rows, position: RowPosition): string {
  const folder = t.testdirName;
  const textPath = join(folder, 'rows.upload');
  writeFileSync(textPath, rows.map((row) => `${textOf([row])}\n`).join(''));
  const path = join(folder, 'rows.db');
  fillRows(path, join(folder, 'draft.db'), textPath, position);
  t.notOk(existsSync(join(folder, 'draft.db')), 'no draft stays');
  return path;
}

const textIn = (path: string): string | undefined => readRowPart(path, '', 1e6)?.text;

t.test('changes come in at their position, and nowhere else', async (t) => {
  t.testdir();
  const path = fill(t, uploaded, { revision: 4, copy: 'x' });
  t.equal(textIn(path), textOf(uploaded), 'whatever a cell has');
  const after: Rows = [
    ['a', 'Ada'],
    ['c', 'Cora'],
    ['é', 'Zoë'],
  ];
  const changes = { text: textOf(after.slice(1)), deletedKeys: [toHex('b'), toHex('none')] };
  const to = { revision: 7, copy: 'x' };
  const apply = (from: number, target = to, figures = figuresOf(after)) =>
    applyRows(path, from, target, changes, figures);
  t.match(apply(5), { outcome: 'moved', position: { revision: 4, copy: 'x' } });
  t.match(apply(4, { revision: 7, copy: 'y' }), { outcome: 'moved' }, 'another copy');
  const deletionMissed = figuresOf(after.slice(1));
  t.match(apply(4, to, deletionMissed), { outcome: 'incomplete', position: { revision: 4 } });
  t.equal(textIn(path), textOf(uploaded), 'nothing was changed');
  t.match(apply(4), { outcome: 'applied', position: to });
  t.equal(textIn(path), textOf(after));
  t.match(apply(4), { outcome: 'moved', position: to }, 'once');
  t.match(applyRows(`${path}x`, 4, to, changes, figuresOf(after)), { outcome: 'moved' });
});

t.test('an older copy of all rows changes nothing, one of another history does', async (t) => {
  t.testdir();
  const path = fill(t, uploaded, { revision: 4, copy: 'x' });
  const other: Rows = [['z', 'Zoë']];
  fill(t, other, { revision: 3, copy: 'x' });
  t.equal(textIn(path), textOf(uploaded));
  fill(t, other, { revision: 3, copy: 'y' });
  t.equal(textIn(path), textOf(other));
  t.strictSame(readRowPosition(path), { revision: 3, copy: 'y' });
});

t.test('rows are read in parts, in the order of their keys', async (t) => {
  t.testdir();
  const path = fill(t, uploaded.toReversed(), { revision: 0, copy: '' });
  const keys: string[] = [];
  for (let part = readRowPart(path, '', 1); part !== undefined;) {
    keys.push(part.lastKey);
    part = readRowPart(path, part.lastKey, 1);
  }
  t.strictSame(keys, ['a', 'b', 'é']);
});

t.test('a damaged file is deleted, so that it is copied again', async (t) => {
  const path = join(t.testdir(), 'rows.db');
  t.equal(readRowPosition(path), undefined);
  writeFileSync(path, Buffer.alloc(20_000, 'x'));
  t.equal(readRowPosition(path), undefined);
  t.notOk(existsSync(path));
});

t.test('a change deletes a file of damaged rows, and a copy makes it again', async (t) => {
  t.testdir();
  const rows: Rows = Array.from({ length: 1000 }, (_, row) => [`k${row}`, 'x'.repeat(60)]);
  const position = { revision: 0, copy: '' };
  const path = fill(t, rows, position);
  damage(path);
  const to = { revision: 1, copy: 'x' };
  const changes = { text: '', deletedKeys: [toHex('k500')] };
  const applied = applyRows(path, 0, to, changes, figuresOf(rows.toSpliced(500, 1)));
  t.strictSame(applied, { outcome: 'moved', position: undefined });
  t.notOk(existsSync(path));
  fill(t, rows, position);
  damage(path);
  fill(t, rows, to);
  t.equal(textIn(path)?.length, textOf(rows).length);
  t.strictSame(readRowPosition(path), to);
});

t.test('two changes of a row in one request both hold', async (t) => {
  const stored = writeRowText('a', '["Ada","7"]');
  const figures = { rows: 1, bytes: sizeOfRow('a', '["Ada","7"]') };
  const changes = [
    { key: 'a', cells: new Map([[0, 'Bea']]) },
    { key: 'a', cells: new Map([[1, '8']]) },
  ];
  const limits = { rowsMax: 9, rowBytesMax: 99 };
  t.same(mergeRows(stored, 2, changes, figures, limits), {
    text: writeRowText('a', '["Bea","8"]'),
    figures,
  });
});
