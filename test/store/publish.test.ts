import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { listDirectory, publishDirectory } from '../../src/store/publish.ts';
import {
  createStores,
  imageLayer,
  publishSample,
  readOne,
  readTestHeader,
  sampleDocument,
} from './store-fixture.ts';
import type { Stores } from './store-fixture.ts';

const photo = 'PNG a photo';
const photoId = `asset:${createHash('sha256').update(photo).digest('hex')}`;

function json(changes: Partial<Template> = {}): string {
  return JSON.stringify(sampleDocument(changes), null, 2);
}

/** A folder beside the database, with the given files and two images. */
function createFolder(t: Parameters<typeof createStores>[0], files: Record<string, string>) {
  const stores = createStores(t);
  const directory = join(stores.path, '..', 'samples');
  mkdirSync(join(directory, 'pictures'), { recursive: true });
  writeFileSync(join(directory, 'pictures', 'photo.png'), photo);
  writeFileSync(join(directory, 'pictures', 'letter.txt'), 'no image');
  writeFileSync(join(stores.path, '..', 'secret.png'), 'PNG of somebody else');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const options = { ...stores, organizationUid: 'org_a', directory, readHeader: readTestHeader };
  return { stores, directory, options };
}

function countRows(stores: Stores): unknown {
  const tables = ['templates', 'template_versions', 'assets'];
  const counts = tables.map((each) => `(SELECT count(*) FROM ${each})`);
  return readOne(stores, `SELECT ${counts.join('+')}`);
}

t.test('a folder is published with its images as assets', async (t) => {
  const { stores, options } = createFolder(t, {
    'banner.json': json({
      variables: [
        { name: 'photo', type: 'image', value: './pictures/photo.png' },
        { name: 'text', type: 'text', value: './pictures/photo.png' },
      ],
      layers: [imageLayer('./pictures/photo.png', 'a'), imageLayer('{{photo}}', 'b')],
    }),
    'hello.json': json({ name: 'Hello' }),
    'README.md': 'no template',
  });
  const published = publishDirectory(options);
  const cid = /^[0-9a-f]{32}$/;
  t.match(
    published,
    ['banner', 'hello'].map((uid) => ({ uid, version: 1, cid })),
  );
  const banner = stores.templates.findPublished('banner');
  t.match(banner?.document.layers, [{ src: photoId }, { src: '{{photo}}' }]);
  t.equal(banner?.variables.get('photo')?.value, photoId);
  t.equal(banner?.variables.get('text')?.value, './pictures/photo.png', 'text stays text');
  t.notMatch(banner?.documentJson, /\n/);
  t.match(stores.assets.findAsset('org_a', photoId), { format: 'png', widthPx: 3 });
  t.equal(readOne(stores, 'SELECT count(*) FROM assets'), 1);
});

t.test('images of fills and inside groups are found by their path', async (t) => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  const nest = (image: string): Layer[] => [
    {
      type: 'group',
      id: 'g',
      ...box,
      layers: [
        imageLayer('./pictures/photo.png', 'a'),
        { type: 'rect', id: 'r', ...box, fill: { image } },
        { type: 'rect', id: 's', ...box, fill: '#fff' },
      ],
    },
  ];
  const { stores, directory, options } = createFolder(t, {
    'nested.json': json({ layers: nest('./pictures/photo.png') }),
  });
  publishDirectory(options);
  t.match(stores.templates.findPublished('nested')?.document.layers, [
    { layers: [{ src: photoId }, { fill: { image: photoId } }, { fill: '#fff' }] },
  ]);
  writeFileSync(join(directory, 'nested.json'), json({ layers: nest('./none.png') }));
  t.throws(() => publishDirectory(options), {
    message: /^nested\.json: layers\[0\]\.layers\[1\]\.fill\.image "\.\/none\.png" does not exist/,
  });
});

t.test('mistakes are reported by file and JSON path, and nothing is stored', async (t) => {
  const ofImage = (src: string): string => json({ layers: [imageLayer(src)] });
  const variable = { name: 'x', type: 'image', value: './x.png' } as const;
  const { stores, directory, options } = createFolder(t, { 'a.json': json() });
  const cases: [text: string, message: RegExp, name?: string][] = [
    ['{"format": 1,', /^b\.json is no JSON: /],
    [ofImage('./none.png'), /^b\.json: layers\[0\]\.src "\.\/none\.png" does not exist/],
    [ofImage('./pictures/letter.txt'), /letter\.txt" is no image/],
    [ofImage('./pictures'), /must be a file/],
    [json({ variables: [variable] }), /^b\.json: variables\[0\]\.value /],
    [json(), /^b c\.json must be named <uid>\.json/, 'b c.json'],
  ];
  for (const [text, message, name = 'b.json'] of cases) {
    writeFileSync(join(directory, name), text);
    t.throws(() => publishDirectory(options), { name: 'StoreError', code: 'INVALID', message });
    t.equal(countRows(stores), 0);
    rmSync(join(directory, name));
  }
});

t.test('a reference never leaves the folder', async (t) => {
  const { stores, directory, options } = createFolder(t, {});
  symlinkSync(join(directory, '..', 'secret.png'), join(directory, 'pictures', 'link.png'));
  symlinkSync(join(directory, '..'), join(directory, 'up'));
  symlinkSync('photo.png', join(directory, 'pictures', 'inside.png'));
  const attacks = [
    './../secret.png',
    './pictures/../../secret.png',
    './pictures/../pictures/photo.png',
    './pictures/link.png',
    './up/secret.png',
    './/etc/hostname',
    './pictures\\..\\..\\secret.png',
    './pictures/photo.png\0.txt',
    `./${'x'.repeat(4000)}`,
  ];
  for (const src of attacks) {
    writeFileSync(join(directory, 'x.json'), json({ layers: [imageLayer(src, 'a')] }));
    const refusal = { code: 'INVALID', message: /layers\[0\]\.src/ };
    t.throws(() => publishDirectory(options), refusal, src);
  }
  t.equal(countRows(stores), 0);
  const src = './pictures/inside.png';
  writeFileSync(join(directory, 'x.json'), json({ layers: [imageLayer(src, 'a')] }));
  t.equal(publishDirectory(options).length, 1, 'a link inside the folder is fine');
});

t.test('a publish that fails in the middle leaves nothing of the folder behind', async (t) => {
  const { stores, options } = createFolder(t, {
    'a.json': json({ layers: [imageLayer('./pictures/photo.png', 'a')] }),
    'b.json': json(),
    'taken.json': json(),
  });
  stores.organizations.createOrganization('B', 'org_b');
  publishSample(stores, 'taken', {}, 'org_b');
  const before = countRows(stores);
  t.throws(() => publishDirectory(options), { code: 'TAKEN', message: /taken/ });
  t.equal(countRows(stores), before);
  t.equal(stores.templates.findPublished('a'), undefined);
  t.equal(stores.assets.findAsset('org_a', photoId), undefined);
  const alone = (): unknown[] =>
    publishDirectory(options, ['a', 'b']).map(({ version }) => version);
  t.same(alone(), [1, 1], 'the others can be published alone');
  t.same(alone(), [2, 2], 'and again as the next version');
});

t.test('a folder that is not there or holds too much is refused', async (t) => {
  const { directory } = createFolder(t, {});
  t.throws(() => listDirectory(join(directory, 'none')), { name: 'StoreError', code: 'IO' });
  for (let index = 0; index <= 1000; index += 1)
    writeFileSync(join(directory, `t${index}.json`), '');
  t.throws(() => listDirectory(directory), { code: 'INVALID', message: /1001 documents/ });
});
