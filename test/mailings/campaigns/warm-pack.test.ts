/** The warm images of one node come to another one whole, or not at all. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packImages, unpackImages } from '../../../src/mailings/campaigns/shared/warm-pack.ts';
import { warmPath } from '../../../src/render/warm-renders.ts';

const keys = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
const made = t.testdir({ made: {} });
const source = join(made, 'made');
for (const key of keys) {
  const path = warmPath(source, key);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `image ${key}`);
}

/** Gives the images, and does `between` after the first two. */
async function* packWith(between: () => void): AsyncGenerator<Uint8Array> {
  let parts = 0;
  for await (const part of packImages(source)) {
    if (parts === 4) between();
    parts += 1;
    yield part;
  }
}

t.test('all images arrive', async (t) => {
  const folder = join(t.testdir(), 'warm');
  await unpackImages(packImages(source), folder);
  for (const key of keys) t.equal(readFileSync(warmPath(folder, key), 'utf8'), `image ${key}`);
});

t.test('the folder of a campaign that is deleted meanwhile does not come back', async (t) => {
  const campaign = join(t.testdir(), 'campaign');
  mkdirSync(campaign);
  const remove = (): void => rmSync(campaign, { recursive: true });
  await t.rejects(unpackImages(packWith(remove), join(campaign, 'warm')), { code: 'ENOENT' });
  t.notOk(existsSync(campaign));
});

t.test('a copy that ends early leaves the images of before alone', async (t) => {
  const campaign = t.testdir({ warm: { before: '' } });
  const fail = (): never => {
    throw new Error('away');
  };
  await t.rejects(unpackImages(packWith(fail), join(campaign, 'warm')), { message: 'away' });
  t.strictSame(readdirSync(campaign), ['warm']);
  t.strictSame(readdirSync(join(campaign, 'warm')), ['before']);
});
