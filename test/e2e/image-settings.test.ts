/** What an operator sets for images counts, and is what callers read. */
import { join } from 'node:path';
import t from 'tap';
import { pngOf } from '../fixtures/images-files.ts';
import { startOrigin, startRawOrigin } from '../fixtures/images-origin.ts';
import { plainImage, sends } from './image-bytes.ts';
import { fillDataDirectory, imageLayer } from './published.ts';
import { checkError } from './request.ts';
import { startService } from './service.ts';

const silent = await startRawOrigin(() => undefined);
const origin = await startOrigin({
  '/wide.png': sends(pngOf({ widthPx: 16_385, heightPx: 10 })),
  '/large.png': sends(pngOf({ widthPx: 10_000, heightPx: 5100 })),
  '/heavy.png': sends(Buffer.concat([await plainImage('#ff0000', 8, 8), Buffer.alloc(1 << 20)])),
  '/moved.png': (_, response) => void response.writeHead(302, { Location: '/moved.png' }).end(),
});
t.teardown(async () => Promise.all([origin.close(), silent.close()]));

t.test(
  'a client gets the limits of images, those that the environment sets among them',
  async (t) => {
    const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
      const variables = [{ name: 'photo', type: 'image' as const, value: '' }];
      publish('photo', { variables, layers: [imageLayer('{{photo}}')] });
    });
    const service = await startService(t, {
      dataDirectory,
      origins: [origin, silent],
      environment: {
        PLATEN_IMAGES_TOTAL_TIMEOUT_MS: '4000',
        PLATEN_IMAGES_SOURCE_MIB: '1',
      },
    });
    for (const [url, cause] of [
      [silent.url('/a.png'), /could not be reached within 2\.4 s/],
      [origin.url('/heavy.png'), /is larger than 1 MiB, the limit/],
      [origin.url('/large.png'), /is 51 MP, the limit is 50 MP/],
      [origin.url('/wide.png'), /is 16385 × 10 px, the limit is 16384 px a side/],
      [origin.url('/moved.png'), /is redirected more than 3 times/],
    ] as const) {
      const answer = await service.render(`photo?photo=${encodeURIComponent(url)}`);
      t.match(checkError(t, answer, 400, 'BAD_REQUEST'), cause, url);
    }
  },
);
