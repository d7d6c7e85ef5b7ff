/** PDFs of a list have the text of each row, the letters of its fonts, and the size of its template. */
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import type { Test } from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from '../e2e/published.ts';
import { sends } from '../e2e/image-bytes.ts';
import { startService } from '../e2e/service.ts';
import { key } from './campaign-client.ts';
import { download, makeFiles } from './files-client.ts';
import { readPages } from './pdf-reader.ts';
import { readZip } from './zip-reader.ts';

const photo = await sharp({
  create: { width: 120, height: 120, channels: 3, background: '#2d6a4f' },
})
  .png()
  .toBuffer();
const origin = await startOrigin({ '/a.png': sends(photo) });
t.teardown(() => origin.close());

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('numbers', {
    variables: [{ name: 'points', type: 'number', value: '1' }],
    layers: [textLayer('{{points}}')],
  });
  publish('costly', {
    width: 1600,
    height: 1200,
    layers: [1, 2, 3, 4].map((number) => ({
      id: `rect-${number}`,
      type: 'rect' as const,
      x: 0,
      y: 0,
      width: 1600,
      height: 1200,
      fill: '#336699',
      blur: 2,
    })),
  });
  const line = { width: 700, height: 80, fontSize: 60 };
  publish('poster', {
    width: 1000,
    height: 501,
    background: {
      gradient: 'linear',
      angle: 90,
      stops: [
        { offset: 0, color: '#ffffff' },
        { offset: 1, color: '#88aaff' },
      ],
    },
    variables: [textVariable('name', 'friend')],
    layers: [
      imageLayer(origin.url('/a.png'), { x: 800, width: 200, height: 200 }),
      textLayer('Plain {{name}}', { id: 'plain', ...line }),
      textLayer('Shadow', {
        id: 'shadow',
        y: 80,
        ...line,
        shadow: { x: 4, y: 4, blur: 6, color: '#000000' },
      }),
      textLayer('Spaced', { id: 'spaced', y: 160, ...line, letterSpacing: 4 }),
      textLayer('Blurred', { id: 'blurred', y: 240, ...line, blur: 2 }),
      textLayer('Faint', {
        id: 'faint',
        y: 320,
        ...line,
        opacity: 0.5,
        stroke: { width: 1, color: '#ff0000' },
      }),
      textLayer('q\u0307x\u0323y', { id: 'marked', y: 400, ...line }),
    ],
  });
});
const service = await startService(t, { dataDirectory, origins: [origin], processCount: 2 });

/** The texts of every page of the poster. */
const posterText = (name: string): string[] => [
  `Plain ${name}`,
  'Shadow',
  'Spaced',
  'Blurred',
  'Faint',
  'q\u0307x\u0323y',
];

t.test('a PDF has a page for each row, with text and the letters of its fonts', async (t: Test) => {
  const { id, campaign } = await makeFiles(service, 'poster', 'name\nAmanda\nŁukasz\n', {
    output: 'pdf',
  });
  t.match(campaign, { state: 'finished', error: null, counts: { files: 2 } });
  const bytes = await download(service, id, 'files.pdf');
  const pages = await readPages(bytes);
  t.same(
    pages.map(({ size }) => size),
    [
      [750, 375.75],
      [750, 375.75],
    ],
    '72 points for 96 pixels',
  );
  t.same(
    pages.map(({ texts }) => texts),
    [posterText('Amanda'), posterText('Łukasz')],
  );
  t.ok(pages.every(({ fonts }) => fonts.length > 0 && fonts.every(({ isEmbedded }) => isEmbedded)));
  const images = bytes.toString('latin1').split('/Subtype /Image').length - 1;
  const { id: one } = await makeFiles(service, 'poster', 'name\nAmanda\n', { output: 'pdf' });
  const single = await download(service, one, 'files.pdf');
  t.equal(
    images,
    single.toString('latin1').split('/Subtype /Image').length - 1,
    'equal images are in the file once',
  );
  const other = await service.get(`/v1/campaigns/${id}/files.zip`, { headers: key });
  t.equal(other.status, 404, 'this run made no ZIP');
});

t.test('PDFs of rows are files of a ZIP', async (t: Test) => {
  const options = { output: 'pdfs', names: '{{name}}', scale: 1 };
  const { id } = await makeFiles(service, 'poster', 'name\nAmanda\nWei\n', options);
  const files = await readZip(await download(service, id, 'files.zip'));
  t.same([...files.keys()], ['Amanda.pdf', 'Wei.pdf']);
  for (const [name, file] of files) {
    const pages = await readPages(file);
    t.same(
      pages.map(({ texts }) => texts),
      [posterText(name.replace('.pdf', ''))],
    );
  }
});

t.test('a PDF without pages is none', async (t: Test) => {
  const { campaign } = await makeFiles(service, 'numbers', 'points\nx\n', { output: 'pdf' });
  t.equal(campaign.state, 'failed');
  t.match(campaign.error, /No row of the list can be drawn.*points/);
});

t.test('a PDF that takes too long to write has fewer pixels, or is refused', async (t: Test) => {
  const list = 'name\nAmanda\n';
  const { campaign } = await makeFiles(service, 'costly', list, { output: 'pdf' });
  t.match(campaign, { state: 'finished', counts: { files: 1 } });
  const refused = await makeFiles(service, 'costly', list, { output: 'pdf', scale: 2 });
  t.equal(refused.campaign.state, 'failed');
  t.match(refused.campaign.error, /takes about \d+ ms of processor time to write as PDF/);
});
