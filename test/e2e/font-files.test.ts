/** Organizations' fonts as files: gone with the font, and never used when they are not what was uploaded. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { checkSame } from './image-bytes.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import { eventually, startService } from './service.ts';
import type { Service } from './service.ts';

const headers = { 'X-API-Key': testOrganization.key };
const brand = { fontFamily: 'Brand', height: 40, fontSize: 30 } as const;

function call(
  { base }: Service,
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
): Promise<Response> {
  return fetch(`${base}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
}

async function upload(service: Service, font: Uint8Array<ArrayBuffer>): Promise<string> {
  const answer = await call(service, 'POST', '/v1/fonts?family=Brand', font);
  const { id } = (await answer.json()) as { id: string };
  return id;
}

t.test('uploading, previewing and deleting fonts leaves nothing on disk', async (t) => {
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), () => undefined);
  const service = await startService(t, { dataDirectory });
  const layers = [textLayer('Brand', brand)];
  const template = { format: 1, name: 'x', width: 240, height: 40, variables: [], layers };
  const directory = join(dataDirectory, 'fonts', 'own');
  for (const name of ['lobster/400Regular/Lobster', 'caveat/400Regular/Caveat']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const id = await upload(service, readFont(`${name}_400Regular.ttf`));
    // oxlint-disable-next-line no-await-in-loop
    const drawn = await call(service, 'POST', '/v1/preview', JSON.stringify({ template }));
    t.equal(drawn.headers.get('x-render-warnings'), null);
    const [file = ''] = readdirSync(directory);
    // oxlint-disable-next-line no-await-in-loop
    t.equal(await service.metric('platen_font_files_bytes'), statSync(join(directory, file)).size);
    // oxlint-disable-next-line no-await-in-loop
    t.equal((await call(service, 'DELETE', `/v1/fonts/${id}`)).status, 204);
    t.same(readdirSync(directory), []);
  }
  t.equal(await service.metric('platen_font_files_bytes'), 0);
});

t.test('a damaged or missing font file never changes letters, and is written again', async (t) => {
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), () => undefined);
  const document = {
    format: 1,
    name: 'x',
    width: 240,
    height: 40,
    variables: [textVariable('name', 'Brand')],
    layers: [textLayer('{{name}}', brand)],
  };
  const first = await startService(t, { dataDirectory });
  await upload(first, readFont('lobster/400Regular/Lobster_400Regular.ttf'));
  await call(first, 'POST', '/v1/templates?uid=card', JSON.stringify(document));
  t.equal((await call(first, 'POST', '/v1/templates/card/publish')).status, 200);
  const sound = await first.render('card.png?name=letters');
  t.equal(sound.headers['x-render-warnings'], undefined);
  first.process.kill('SIGTERM');
  await first.process.ended;

  const directory = join(dataDirectory, 'fonts', 'own');
  const path = join(directory, readdirSync(directory)[0] ?? '');
  const font = readFileSync(path);
  for (const damaged of [font.subarray(0, 1000), Buffer.from(font).fill(0, 20_000)]) {
    writeFileSync(path, damaged);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const service = await startService(t, { dataDirectory });
    // oxlint-disable-next-line no-await-in-loop
    let healed = await service.render('card.png?name=letters');
    // oxlint-disable-next-line no-await-in-loop -- a machine that is busy with other things may refuse for a moment
    await eventually(async () => {
      if (healed.status === 503) healed = await service.render('card.png?name=letters');
      return healed.status !== 503;
    }, 60_000);
    t.equal(healed.headers['x-render-warnings'], undefined);
    await checkSame(t, healed, sound, 'the same letters');
    t.ok(readFileSync(path).equals(font), 'the file is whole again');
    service.process.kill('SIGTERM');
    // oxlint-disable-next-line no-await-in-loop
    await service.process.ended;
  }
});

t.test('a font file that goes while its template renders is laid out again', async (t) => {
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), () => undefined);
  const service = await startService(t, { dataDirectory, processCount: 2 });
  await upload(service, readFont('lobster/400Regular/Lobster_400Regular.ttf'));
  const preview = async (text: string): Promise<void> => {
    const layers = [textLayer(text, brand)];
    const template = { format: 1, name: 'x', width: 240, height: 40, variables: [], layers };
    const body = JSON.stringify({ template });
    let answer = await call(service, 'POST', '/v1/preview', body);
    // A machine that is busy with other things may refuse for a moment.
    await eventually(async () => {
      if (answer.status === 503) answer = await call(service, 'POST', '/v1/preview', body);
      return answer.status !== 503;
    }, 60_000);
    t.equal(answer.status, 200, answer.ok ? '' : await answer.text());
    t.equal(answer.headers.get('x-render-warnings'), null);
  };
  const directory = join(dataDirectory, 'fonts', 'own');
  for (let round = 0; round < 5; round += 1) {
    const previews = Array.from({ length: 4 }, (_, index) => preview(`Reader ${round}-${index}`));
    const names = existsSync(directory) ? readdirSync(directory) : [];
    for (const name of names) {
      if (name.endsWith('.ttf')) rmSync(join(directory, name), { force: true });
    }
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await Promise.all(previews);
  }
});

function readFont(path: string): Buffer<ArrayBuffer> {
  return readFileSync(fileURLToPath(import.meta.resolve(`@expo-google-fonts/${path}`)));
}
