/** Images of a campaign: each is fetched once, and one that took long is a problem of each of its rows. */
import t from 'tap';
import { KeptImages } from '../../../src/mailings/campaigns/kept-images.ts';
import { CampaignRenderer } from '../../../src/mailings/campaigns/renderer.ts';
import { ImageError } from '../../../src/images/image-error.ts';

const requester = { organizationUid: 'org' } as never;
const fast = 'https://images.example/fast.png';
const slow = 'https://images.example/slow.png';
const gone = 'https://images.example/gone.png';

t.test('a slow image is named with its time, also after a kill, until a new proof', async (t) => {
  let clockMs = 0;
  t.intercept(performance, 'now', { value: () => clockMs });
  const fetched: string[] = [];
  const loader = {
    loadImage: async (source: string) => {
      fetched.push(source);
      clockMs += source === slow ? 3400 : 200;
      if (source === gone) throw new ImageError('status', 'answers 404');
      const bytes = new Uint8Array(8);
      const facts = { digest: source, format: 'png', widthPx: 1, heightPx: 1, orientation: 1 };
      return { image: { ...facts, bytes }, freshUntilMs: Infinity };
    },
  };
  const folder = t.testdir();
  const start = () => {
    const images = new KeptImages(loader as never, folder);
    const renderer = new CampaignRenderer({} as never, 2, images, {} as never);
    return { images, renderer };
  };
  const load = async ({ images }: ReturnType<typeof start>, source: string): Promise<void> => {
    await images.loadImage(source, requester, new AbortController().signal);
  };
  const first = start();
  for (const source of [fast, slow, fast, slow]) {
    await load(first, source);
  }
  for (const row of [1, 2]) {
    await t.rejects(load(first, gone), /404/, `row ${row}`);
  }
  t.same(fetched, [fast, slow, gone], 'each is asked for once, a dead one too');
  const problem = { code: 'IMAGE_SLOW', message: /^an image took 3\.4 s to load: / };
  const values = new Map([
    ['title', 'slow'],
    ['photo', slow],
  ]);
  const named = [{ ...problem, variable: 'photo' }];
  t.match(first.renderer.slowImages([fast, slow], values), named);
  t.match(first.renderer.slowImages([slow], new Map([['file', 'slow.png']])), [
    { ...problem, variable: 'file' },
  ]);
  t.same(first.renderer.slowImages([fast], values), []);

  const resumed = start();
  await load(resumed, slow);
  t.match(resumed.renderer.slowImages([slow], values), named);
  t.equal(fetched.length, 3, 'the image is read from the disk');

  resumed.images.clear();
  t.same(resumed.renderer.slowImages([slow], values), []);
  await load(resumed, slow);
  t.equal(fetched.length, 4, 'a new proof sees the images as they are now');
});
