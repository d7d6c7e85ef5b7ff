/** Uploaded files: damaged images are refused before they are stored, and fonts are what was uploaded, or gone. */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { damagedFiles, lyingFiles, soundFiles } from '../fixtures/images-damaged.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { createPool } from '../fixtures/render-pool.ts';
import { checkSame } from './image-bytes.ts';
import {
  fillDataDirectory,
  imageLayer,
  testDocument,
  testOrganization,
  textLayer,
  textVariable,
} from './published.ts';
import type { Answer } from './request.ts';
import { eventually, startService } from './service.ts';

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), () => undefined);
const first = await startService(t, { dataDirectory, threadCount: 2 });
const fontFiles = join(dataDirectory, 'fonts', 'own', testOrganization.uid);
const lobster = '@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf';
const brand = { fontFamily: 'Brand', height: 40, fontSize: 30 } as const;

/** Calls a service again while a machine that is busy with other things refuses. */
async function call(
  method: string,
  path: string,
  body: string | Buffer = '',
  service = first,
): Promise<Answer> {
  const headers = { 'X-API-Key': testOrganization.key };
  const ask = (): Promise<Answer> => service.get(path, { method, headers, body });
  let answer = await ask();
  await eventually(async () => {
    if (answer.status === 503) answer = await ask();
    return answer.status !== 503;
  });
  return answer;
}

const preview = (layers: ReturnType<typeof testDocument>['layers']): Promise<Answer> =>
  call('POST', '/v1/preview', JSON.stringify({ template: testDocument({ layers }) }));

t.test('an image is stored exactly when it renders', async (t) => {
  const sound = await soundFiles();
  let refused = 0;
  for (const { name, bytes } of [...sound, ...sound.flatMap(damagedFiles), ...lyingFiles(sound)]) {
    const answer = await call('POST', '/v1/assets', Buffer.from(bytes));
    const { id, error } = answer.json() as { id?: string; error?: string };
    if (id === undefined) {
      refused += 1;
      t.ok([400, 413, 415].includes(answer.status), `${name}: ${answer.status} ${error}`);
      const isSound = sound.some((file) => file.name === name);
      t.notOk(isSound, `${name} is sound: ${error}`);
    } else {
      const { status } = await preview([imageLayer(id)]);
      t.equal(status, 200, `${name} is stored, and renders`);
    }
  }
  t.ok(refused > 50, `${refused} files are refused`);
});

t.test('a pool that takes no renders refuses an upload with 503, not as damaged', async (t) => {
  const pool = createPool(t);
  const api = await startOrganizationApi(t, pool);
  await pool.close(1000);
  const [png] = await soundFiles();
  const answer = await api.call('POST', '/v1/assets', { body: new Uint8Array(png?.bytes ?? []) });
  t.equal(answer.status, 503);
  t.equal(answer.headers.get('retry-after'), '1');
  t.equal(api.service.stores.assets.listAssets('org_a', 1, 0).total, 0);
});

t.test('a font file that goes while its template renders is laid out again', async (t) => {
  const path = fileURLToPath(import.meta.resolve(lobster));
  t.equal((await call('POST', '/v1/fonts?family=Brand', readFileSync(path))).status, 201);
  t.equal((await preview([textLayer('Brand', brand)])).status, 200);
  t.equal(await first.metric('platen_font_files_bytes'), statSync(path).size);
  for (let round = 0; round < 5; round += 1) {
    const previews = Array.from({ length: 4 }, (_, index) =>
      preview([textLayer(`Reader ${round}-${index}`, brand)]),
    );
    for (const name of readdirSync(fontFiles)) {
      if (name.endsWith('.ttf')) rmSync(join(fontFiles, name), { force: true });
    }
    for (const { status, headers, text } of await Promise.all(previews)) {
      t.equal(status, 200, status === 200 ? '' : text);
      t.equal(headers['x-render-warnings'], undefined);
    }
  }
});

t.test('a damaged font file never changes letters, and is written again by a start', async (t) => {
  const document = testDocument({
    variables: [textVariable('name', 'Brand')],
    layers: [textLayer('{{name}}', brand)],
  });
  await call('POST', '/v1/templates?uid=card', JSON.stringify(document));
  t.equal((await call('POST', '/v1/templates/card/publish')).status, 200);
  const sound = await call('GET', '/v1/render/card.png?name=letters');
  t.equal(sound.headers['x-render-warnings'], undefined);
  const { families } = (await call('GET', '/v1/fonts')).json() as {
    families: { fonts?: { id: string }[] }[];
  };
  first.process.kill('SIGTERM');
  await first.process.ended;

  const digest = families[0]?.fonts?.[0]?.id.replace('font:', '') ?? '';
  const path = join(fontFiles, `${digest}.ttf`);
  writeFileSync(path, 'damaged');
  const next = await startService(t, { dataDirectory });
  const healed = await call('GET', '/v1/render/card.png?name=letters', '', next);
  t.equal(healed.headers['x-render-warnings'], undefined);
  await checkSame(t, healed, sound, 'the same letters');
  t.equal(hash('sha256', readFileSync(path)), digest, 'the file is whole again');
  const statistics = await call('GET', '/v1/templates/card/statistics', '', next);
  t.match(statistics.json(), { total: { images: 2, drawn: 2 } }, 'counts outlast an orderly end');
});
