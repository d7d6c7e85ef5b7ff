/** Tables of an earlier version have keys as their files wrote them, some of which are equal now. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { checkDataTables } from '../../../src/cli/doctor/data.ts';
import { findEqualKeys } from '../../../src/mailings/store/tables/equal-keys.ts';
import { createRowFile } from '../../../src/mailings/store/tables/row-file.ts';
import { parseConfig } from '../../../src/settings.ts';
import { fillDataDirectory, testOrganization } from '../../e2e/published.ts';
import { eventually, startService } from '../../e2e/service.ts';

const jose = 'José'.normalize('NFD');

function writeRows(path: string, keys: readonly string[]): string {
  const writer = createRowFile(path);
  for (const [index, key] of keys.entries()) writer.insert(index + 1, key, JSON.stringify([key]));
  writer.finish();
  return path;
}

/** A data folder with the schema of the release before, whose table `members` has two equal keys. */
function oldFolder(t: Test): string {
  const folder = fillDataDirectory(t.testdir(), ({ db }) => {
    const insert = db.prepare(
      `INSERT INTO data_tables
         (organization_uid, name, file_id, key_column, columns_json, row_count, size_bytes, updated_at)
       VALUES (?, ?, ?, 'id', '["id"]', 3, 99, 0)`,
    );
    insert.run(testOrganization.uid, 'members', 'm'.repeat(20));
    insert.run(testOrganization.uid, 'seats', 's'.repeat(20));
    db.exec('ALTER TABLE link_statistics DROP COLUMN corrected; PRAGMA user_version = 25');
  });
  mkdirSync(join(folder, 'tables'));
  writeRows(join(folder, 'tables', `${'m'.repeat(20)}.db`), ['Ann', 'José', jose]);
  writeRows(join(folder, 'tables', `${'s'.repeat(20)}.db`), ['1', jose]);
  return folder;
}

t.test('keys are equal in every form of Unicode, and only then', async (t) => {
  const folder = t.testdir();
  const partly = 'ệ'.normalize('NFD').replace('e\u0323', 'ẹ');
  const find = (name: string, keys: string[]) => findEqualKeys(writeRows(join(folder, name), keys));
  t.same(find('a', ['x', 'José', 'Zoë', jose, 'Zoë'.normalize('NFD')]), { keys: 2, rows: [2, 4] });
  t.same(find('b', ['ệ'.normalize('NFD'), partly]), { keys: 1, rows: [1, 2] }, 'without the NFC');
  t.equal(find('c', ['José', 'Jose', 'JOSÉ', 'josé ', 'ﬁ', 'fi', 'K', 'Ａ']), undefined);
});

t.test('the doctor and a start after an update name the rows of equal keys', async (t) => {
  const folder = oldFolder(t);
  const found = await checkDataTables(parseConfig({ PLATEN_DATA_DIR: folder }));
  const detail =
    /table members of org_e2e has a key in several .* rows 2 and 3: .* one row for each/;
  t.match(found, [{ status: 'warning', detail, advice: /composed form first/ }]);
  t.equal(found.length, 1);
  const service = await startService(t, { dataDirectory: folder });
  t.ok(await eventually(() => /"equal keys"/.test(service.process.stderr)));
  t.match(service.process.stderr, detail);
  t.notMatch(service.process.stderr, /table seats/);
  service.process.kill('SIGTERM');
  await service.process.ended;
  const again = await startService(t, { dataDirectory: folder });
  t.notMatch(again.process.stderr, /equal keys/, 'a start without an update does not look');
});

t.test('a folder without a table has nothing to name', async (t) => {
  const folder = fillDataDirectory(t.testdir(), () => undefined);
  const found = await checkDataTables(parseConfig({ PLATEN_DATA_DIR: folder }));
  t.match(found, [{ status: 'ok' }]);
});
