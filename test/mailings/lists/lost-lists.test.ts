/** A list that takes too much memory ends its own thread alone, and is 413. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { campaignPaths } from '../../../src/mailings/campaigns/list/import-list.ts';
import { ListImports } from '../../../src/mailings/campaigns/list/list-imports.ts';
import { TableThread } from '../../../src/mailings/tables/table-thread.ts';
import { createCampaignId } from '../../../src/mailings/store/campaigns/campaign-store.ts';
import { listFile } from './list-files.ts';
import { xlsxParts, zip } from './xlsx-file.ts';

/** Much for a thread, and within all bounds. */
const heapMbMax = 24;
const space = { bytesMax: 1e9, refusal: '' };
const relations = Array.from({ length: 200_000 }, (_, index) => `<Relationship Id="r${index}"/>`);
const large = listFile(
  zip({
    ...xlsxParts({ rows: '' }),
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
  }),
);
const refusal = { code: 'PAYLOAD_TOO_LARGE', message: /more than 256 MB of memory/ };

t.test(
  'an upload whose list ends its thread is 413, and that of another organization goes on',
  async (t) => {
    const folder = t.testdir();
    const imports = new ListImports(folder, heapMbMax);
    t.teardown(() => imports.close());
    const [id, otherId] = [createCampaignId(), createCampaignId()];
    const other = listFile(`id,name\n${'1,Amanda\n'.repeat(200_000)}`);
    const [refused, imported] = await Promise.allSettled([
      imports.run({ id, path: large, options: {}, space }),
      imports.run({ id: otherId, path: other, options: {}, space }),
    ]);
    t.match(refused, { status: 'rejected', reason: refusal });
    t.notOk(existsSync(campaignPaths(folder, id).folder));
    t.match(imported, { value: { rowCount: 200_000 } });
  },
);

t.test(
  'a table whose list ends its thread is 413, and the thread takes the next list',
  async (t) => {
    const folder = t.testdir();
    const thread = new TableThread(heapMbMax);
    t.teardown(() => thread.close());
    const job = { kind: 'import', key: 'id', contentType: '', space } as const;
    const run = (name: string, uploadPath: string) =>
      thread.run({ ...job, uploadPath, path: join(folder, name) });
    await t.rejects(run('a.db', large), refusal);
    t.match(await run('b.db', listFile('id,name\n1,Amanda\n')), { rows: 1 });
  },
);

t.test('the end of the service tells an upload to come again', async (t) => {
  const imports = new ListImports(t.testdir());
  const path = listFile('id\n1\n');
  const imported = imports.run({ id: createCampaignId(), path, options: {}, space });
  const refused = t.rejects(imported, { code: 'OVERLOADED', retryAfterSeconds: 1 });
  await imports.close();
  await refused;
});
