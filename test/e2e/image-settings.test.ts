/** What an operator sets for images counts, and is what callers are told. */
import { join } from 'node:path';
import t from 'tap';
import { pngOf } from '../fixtures/images-files.ts';
import { startOrigin, startRawOrigin } from '../fixtures/images-origin.ts';
import { plainPicture, sends } from './pictures.ts';
import { fillDataDirectory, imageLayer } from './published.ts';
import { checkError } from './request.ts';
import { startService } from './service.ts';

const silent = await startRawOrigin(() => undefined);
const origin = await startOrigin({
  '/wide.png': sends(pngOf({ widthPx: 4001, heightPx: 10 })),
  '/large.png': sends(pngOf({ widthPx: 1500, heightPx: 1000 })),
  '/deep.png': sends(
    pngOf({ widthPx: 900, heightPx: 800, bitDepth: 16, colorType: 6, interlaced: true }),
  ),
  '/heavy.png': sends(Buffer.concat([await plainPicture('#ff0000', 8, 8), Buffer.alloc(1 << 20)])),
  '/moved.png': (_, response) => void response.writeHead(302, { Location: '/red.png' }).end(),
  '/red.png': sends(await plainPicture('#ff0000', 8, 8)),
});
t.teardown(async () => Promise.all([origin.close(), silent.close()]));

t.test('a caller is told the limits that the environment sets', async (t) => {
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
    const variables = [{ name: 'photo', type: 'image' as const, value: '' }];
    publish('photo', { variables, layers: [imageLayer('{{photo}}')] });
  });
  const service = await startService(t, {
    dataDirectory,
    origins: [origin, silent],
    environment: {
      PLATEN_IMAGES_FIRST_BYTE_TIMEOUT_MS: '150',
      PLATEN_IMAGES_SOURCE_MIB: '1',
      PLATEN_IMAGES_SOURCE_MP: '1',
      PLATEN_IMAGES_SOURCE_SIDE_PX: '4000',
      PLATEN_IMAGES_DECODE_MB: '5',
      PLATEN_IMAGES_REDIRECTS_MAX: '0',
    },
  });
  for (const [url, cause] of [
    [silent.url('/a.png'), /could not be reached within 0\.15 s/],
    [origin.url('/heavy.png'), /is larger than 1 MiB, the limit/],
    [origin.url('/large.png'), /is 2 MP, the limit is 1 MP/],
    [origin.url('/wide.png'), /is 4001 × 10 px, the limit is 4000 px a side/],
    [origin.url('/deep.png'), /needs 7 MB to decode, the limit is 5 MB/],
    [origin.url('/moved.png'), /is redirected more than 0 times/],
  ] as const) {
    const answer = await service.render(`photo?photo=${encodeURIComponent(url)}`);
    t.match(checkError(t, answer, 400, 'BAD_REQUEST'), cause, url);
  }
});
