/** The files of a list equal the images of its links, whatever its rows contain, and a kill changes nothing of them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import type { Test } from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from '../e2e/published.ts';
import { sends } from '../e2e/image-bytes.ts';
import { eventually, startService } from '../e2e/service.ts';
import { onlyFull } from '../helpers/extent.ts';
import { createCampaign, getCampaign, key, waitForRun } from './campaign-client.ts';
import { contentsOf, download, makeFiles, pixelsOf } from './files-client.ts';
import { readZip } from './zip-reader.ts';

const photo = await sharp({
  create: { width: 120, height: 120, channels: 3, background: '#2d6a4f' },
})
  .png()
  .toBuffer();
const origin = await startOrigin({ '/a.png': sends(photo) });
t.teardown(() => origin.close());

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('card', {
    onImageError: 'default',
    variables: [
      textVariable('name', 'friend'),
      { name: 'points', type: 'number', value: '1' },
      { name: 'photo', type: 'image', value: origin.url('/a.png') },
    ],
    layers: [textLayer('Hello {{name}} {{points}}'), imageLayer('{{photo}}')],
  });
});
const root = t;
/** Of a run that is killed. */
const rowCount = 900;
/** In every so many rows one cannot be drawn. */
const rowsEachFailure = 89;
const failed = Math.floor(rowCount / rowsEachFailure);
let service = await startService(t, { dataDirectory, origins: [origin], processCount: 2 });

t.test('each file has the pixels of the link of its row', async (t: Test) => {
  const names = ['Amanda', 'José', 'Ngô Thị', 'محمد', '王伟', '', 'A&B=C?', '🎉 party'];
  const list = ['name,points', ...names.map((name, index) => `${name},${index}`)].join('\n');
  for (const format of ['png', 'jpg']) {
    const { id, campaign } = await makeFiles(service, 'card', list, { format, scale: 2 });
    t.match(campaign, { state: 'finished', error: null, counts: { files: 8, failed: 0 } });
    const files = await readZip(await download(service, id, 'files.zip'));
    t.same(
      [...files.keys()],
      names.map((_, index) => `${index + 1}.${format}`),
    );
    for (const [index, name] of names.entries()) {
      const query = new URLSearchParams({
        name,
        points: String(index),
        _scale: '2',
        _version: '1',
      });
      const link = await service.render(`card.${format}?${query.toString()}`);
      const file = files.get(`${index + 1}.${format}`) as Buffer;
      t.ok((await pixelsOf(file)).equals(await pixelsOf(link.body)), `${name} as ${format}`);
    }
  }
});

t.test('names are safe in every file system, and each is there once', async (t: Test) => {
  const expected: [cell: string, name: string][] = [
    ['Amanda', 'Amanda'],
    ['Amanda', 'Amanda-2'],
    ['AMANDA', 'AMANDA-3'],
    ['Amanda-2', 'Amanda-2-2'],
    ['../../etc/passwd', '_.._etc_passwd'],
    [String.raw`C:\boot.ini`, 'C__boot.ini'],
    ['con', '_con'],
    ['LPT1.txt', '_LPT1.txt'],
    ['-rf', '_-rf'],
    ['Jose\u0301', 'Jos\u00E9'],
    ['photo\u202Egnp.exe', 'photognp.exe'],
    [' .hidden. ', 'hidden'],
    ['a\u0007b', 'ab'],
    ['...', '13'],
    ['é'.repeat(150), 'é'.repeat(100)],
  ];
  const list = ['name', ...expected.map(([cell]) => `"${cell}"`)].join('\n');
  const { id } = await makeFiles(service, 'card', list, { names: '{{name}}' });
  const files = await readZip(await download(service, id, 'files.zip'));
  // The empty name is that of its row.
  const names = expected.map(([, name], index) => `${name === '13' ? index + 1 : name}.png`);
  t.same([...files.keys()], names);
  const mixed = await makeFiles(service, 'card', 'first name,name\nAnn,X\nBo,Y\n', {
    names: 'no {{row}} {{first name}}',
  });
  const named = await readZip(await download(service, mixed.id, 'files.zip'));
  t.same([...named.keys()], ['no 1 Ann.png', 'no 2 Bo.png']);
});

t.test('rows that cannot be drawn are named, and stop nothing else', async (t: Test) => {
  const gone = origin.url('/gone.png');
  const list = `name;points;photo\nAnn;5;\nBo;free;\nCy;1;2;3;4\nDee;2;${gone}\n`;
  const { id, campaign } = await makeFiles(service, 'card', list);
  t.match(campaign, { state: 'finished', counts: { files: 2, failed: 2, degraded: 1 } });
  const rows = campaign.counts.problem_rows as { row: number; problem: string }[];
  t.same(
    rows.map(({ row }) => row),
    [2, 3, 4],
  );
  const files = await readZip(await download(service, id, 'files.zip'));
  t.same([...files.keys()], ['1.png', '4.png', 'problems.csv']);
  const table = files.get('problems.csv')?.toString().split('\n') ?? [];
  t.equal(table[0], 'row;line;problem', 'as the list was written');
  t.match(table[1], /^2;3;.*points.* is not a number/);
  t.match(table[2], /^3;4;.*5 cells/);
  t.match(table[3], /^4;5;/);
});

t.test('a pattern or a PDF that the list cannot give is refused at the start', async (t: Test) => {
  const options = JSON.stringify({ names: '{{row}} {{nmae}}' });
  const refused = await createCampaign(service, 'card', 'files', 'name\nAnn\n', { options });
  t.equal(refused.status, 400);
  t.match(refused.answer.text, /nmae.*no column of the list.*\{\{name\}\}/);
  const rows = `name\n${'x\n'.repeat(10_001)}`;
  const pdf = JSON.stringify({ output: 'pdf' });
  const long = await createCampaign(service, 'card', 'files', rows, { options: pdf });
  t.equal(long.status, 400);
  t.match(long.answer.text, /10001 rows.*at most 10000 pages/);
  const body = JSON.stringify({ mode: 'files', names: '{{x}}' });
  const { id } = await makeFiles(service, 'card', 'name\nAnn\n');
  const again = await service.get(`/v1/campaigns/${id}/runs`, {
    method: 'POST',
    headers: key,
    body,
  });
  t.equal(again.status, 400);
});

t.test('a run that is killed continues to the same files', { skip: onlyFull }, async (t: Test) => {
  const rows = Array.from(
    { length: rowCount },
    (_, index) => `Person ${index % 100},${(index + 1) % rowsEachFailure === 0 ? 'x' : index}`,
  );
  const list = ['name,points', ...rows].join('\n');
  for (const output of ['zip', 'pdf'] as const) {
    const options = { output, names: '{{name}}' };
    const whole = await makeFiles(service, 'card', list, options);
    const file = output === 'zip' ? 'files.zip' : 'files.pdf';
    const expected = await contentsOf(await download(service, whole.id, file));
    const created = await createCampaign(service, 'card', 'files', list, {
      options: JSON.stringify(options),
    });
    const { id } = created.body;
    let kills = 0;
    for (const killAt of [100, 500]) {
      await eventually(async () => (await getCampaign(service, id)).done >= killAt);
      if ((await getCampaign(service, id)).state === 'running') kills += 1;
      service.process.kill('SIGKILL');
      await service.process.ended;
      service = await startService(root, { dataDirectory, origins: [origin], processCount: 2 });
    }
    const campaign = await waitForRun(service, id);
    t.match(campaign, {
      state: 'finished',
      done: rowCount,
      counts: { failed, files: rowCount - failed },
    });
    t.ok(kills > 0, 'it was killed at work');
    t.same(await contentsOf(await download(service, id, file)), expected);
  }
});

t.test('what is canceled or deleted leaves no files', async (t: Test) => {
  const list = `name\n${Array.from({ length: 3000 }, (_, index) => `Person ${index}`).join('\n')}`;
  const { body } = await createCampaign(service, 'card', 'files', list);
  const folder = join(dataDirectory, 'campaigns', body.id, 'files');
  await eventually(() => existsSync(join(folder, 'files.zip')));
  await service.get(`/v1/campaigns/${body.id}/cancel`, { method: 'POST', headers: key });
  t.equal((await getCampaign(service, body.id)).state, 'canceled');
  t.notOk(existsSync(folder));
  const { id } = await makeFiles(service, 'card', 'name\nAnn\n');
  const made = join(dataDirectory, 'campaigns', id);
  t.ok(existsSync(join(made, 'files', 'files.zip')));
  await service.get(`/v1/campaigns/${id}`, { method: 'DELETE', headers: key });
  t.notOk(existsSync(made));
});
