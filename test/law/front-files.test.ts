/** What links with large files of their organization may use of the thread that answers. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createRowFile } from '../../src/mailings/store/tables/row-file.ts';
import { createTableStore } from '../../src/mailings/store/tables/table-store.ts';
import type { TableStore } from '../../src/mailings/store/tables/table-store.ts';
import { documentCid } from '../../src/store/template-document.ts';
import { createFontStore } from '../../src/store/assets/font-store.ts';
import {
  fillDataDirectory,
  testDocument,
  testOrganization,
  textLayer,
  textVariable,
} from '../e2e/published.ts';
import type { Shelf } from '../e2e/published.ts';
import { sampleFontFacts } from '../store/store-fixture.ts';
import { attempts, checkLinks } from './front-links.ts';

t.setTimeout(120_000);

const lobster = '@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf';

/** A sound font of 9 MiB, with a table `zzzz` that begins with `number`. */
function largeFont(number: number): Uint8Array {
  const font = readFileSync(fileURLToPath(import.meta.resolve(lobster)));
  const tables = font.readUInt16BE(4);
  const tablesEnd = 12 + 16 * tables;
  const directory = Buffer.concat([font.subarray(0, tablesEnd), Buffer.alloc(16)]);
  directory.writeUInt16BE(tables + 1, 4);
  for (let entry = 12; entry < tablesEnd; entry += 16) {
    directory.writeUInt32BE(directory.readUInt32BE(entry + 8) + 16, entry + 8);
  }
  const padding = Buffer.alloc(9 * 2 ** 20 - font.length - 16);
  padding.writeUInt32BE(number);
  directory.write('zzzz', tablesEnd);
  directory.writeUInt32BE(font.length + 16, tablesEnd + 8);
  directory.writeUInt32BE(padding.length, tablesEnd + 12);
  return Buffer.concat([directory, font.subarray(tablesEnd), padding]);
}

t.test('a link whose fonts have no copies holds the thread as briefly as any other', async (t) => {
  const folder = t.testdir();
  const dataDirectory = fillDataDirectory(join(folder, 'data'), ({ db, publish }) => {
    const fonts = createFontStore(db, join(folder, 'unused'));
    for (const attempt of attempts) {
      const family = `Large ${attempt}`;
      for (const weight of [300, 400, 500, 600]) {
        const font = largeFont(1000 * attempt + weight);
        fonts.saveFont(testOrganization.uid, family, font, { ...sampleFontFacts, weight });
      }
      publish(`large-${attempt}`, {
        variables: [textVariable('name', '')],
        layers: [textLayer('Hello {{name}}', { fontFamily: family })],
      });
    }
  });
  await checkLinks(t, dataDirectory, (attempt) => `large-${attempt}.png?name=Amanda`);
});

/** Stores a table with one row for an organization. */
function storeTable(tables: TableStore, organizationUid: string, name: string): void {
  const { fileId, path } = tables.newFile();
  const writer = createRowFile(path);
  writer.insert(1, 'a', JSON.stringify(['a', 'Amanda']));
  const content = { fileId, key: 'id', columns: ['id', 'name'], ...writer.finish() };
  tables.replaceTable(organizationUid, name, content);
}

t.test('a link that reads a hundred tables holds the thread as briefly as any other', async (t) => {
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), (shelf) => {
    const tables = createTableStore(shelf.db, join(dirname(shelf.db.name), 'tables'));
    for (const attempt of attempts) storeReader(shelf, tables, attempt);
    tables.close();
  });
  await checkLinks(t, dataDirectory, (attempt) => `tables-${attempt}.png?id=a`);
});

/** Stores an organization with a hundred tables, and a template of before the limit of tables that reads all of them. */
function storeReader(
  { db, organizations, publish }: Shelf,
  tables: TableStore,
  attempt: number,
): void {
  const organizationUid = `org_${attempt}`;
  organizations.createOrganization('Tables', organizationUid);
  const cells = Array.from({ length: 100 }, (_, index) => {
    const table = `t${index}`;
    storeTable(tables, organizationUid, table);
    return textVariable(`v${index}`, '-', { from: `${table}.{{id}}.name` });
  });
  const uid = `tables-${attempt}`;
  publish(uid, {}, organizationUid);
  const variables = [textVariable('id', ''), ...cells];
  const document = testDocument({ variables, layers: [textLayer('{{v0}} {{v99}}')] });
  const json = JSON.stringify(document);
  db.prepare(
    `INSERT INTO template_versions (template_id, version, cid, document_json, published_at, font_digests)
     SELECT id, 2, ?, ?, '2026-11-30T00:00:00.000Z', '[]' FROM templates WHERE uid = ?`,
  ).run(documentCid(json), json, uid);
  db.prepare('UPDATE templates SET published_version = 2 WHERE uid = ?').run(uid);
}
