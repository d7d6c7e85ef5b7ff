/** Why an image failed, in one word for the operator: in the log and in the metrics. */
import { join } from 'node:path';
import t from 'tap';
import { startDns } from '../fixtures/images-dns.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startOrigin, startRawOrigin } from '../fixtures/images-origin.ts';
import { plainImage, sends } from './image-bytes.ts';
import { fillDataDirectory, imageLayer } from './published.ts';
import { eventually, startService } from './service.ts';

const red = await plainImage('#ff0000', 64, 64);
const silent = await startRawOrigin(() => undefined);
const origin = await startOrigin({
  '/500.png': (_, response) => void response.writeHead(500).end(),
  '/wide.png': sends(pngOf({ widthPx: 30_000, heightPx: 10 })),
  '/page.html': sends('<!doctype html><title>Sign in</title>', 'text/html'),
  '/half.png': sends(red.subarray(0, red.length / 2)),
  // Sound at its head, so that only the thread that draws finds the damage.
  '/garbage.png': sends(
    Buffer.concat([red.subarray(0, 50), Buffer.alloc(40, 7), red.subarray(90)]),
  ),
});
const dns = await startDns((name) => {
  if (name === 'nowhere.test') return undefined;
  return name === 'silent.test' ? 'silence' : ['10.0.0.1'];
});
t.teardown(async () => Promise.all([origin.close(), silent.close(), dns.close()]));

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveAsset }) => {
  const variables = [{ name: 'photo', type: 'image' as const, value: saveAsset(red) }];
  const layers = [imageLayer('{{photo}}')];
  publish('strict', { variables, layers });
  publish('lenient', { variables, layers, onImageError: 'default' });
});
const service = await startService(t, {
  dataDirectory,
  origins: [origin, silent],
  environment: {
    PLATEN_IMAGES_DNS_SERVERS: dns.server,
    PLATEN_IMAGES_TOTAL_TIMEOUT_MS: '500',
  },
});

const causes: [cause: string, sources: string[]][] = [
  ['dns', [`http://nowhere.test:${origin.port}/a.png`]],
  ['timeout', [silent.url('/a.png'), `http://silent.test:${origin.port}/a.png`]],
  ['blocked', [`http://10.0.0.1:${origin.port}/`, `http://inside.test:${origin.port}/a.png`]],
  ['status', [origin.url('/500.png'), origin.url('/404.png')]],
  ['too_large', [origin.url('/wide.png')]],
  ['not_image', [origin.url('/page.html')]],
  ['decode', [origin.url('/half.png'), origin.url('/garbage.png')]],
];

for (const [cause, sources] of causes) {
  t.test(`an image that fails for "${cause}" is logged and counted as such`, async (t) => {
    const line = `platen_failures_total{route="render",cause="${cause}"}`;
    for (const source of sources) {
      for (const [template, status] of [
        ['strict', 400],
        ['lenient', 200],
      ] as const) {
        const before = await service.metric(line);
        const answer = await service.render(`${template}?photo=${encodeURIComponent(source)}`);
        t.equal(answer.status, status, source);
        t.equal(await service.metric(line), before + 1, `${template} ${source}`);
        const id = String(answer.headers['x-request-id']);
        const isLogged = (): boolean =>
          // A slow one is a warning.
          `${service.process.stdout}\n${service.process.stderr}`
            .split('\n')
            .some((text) => text.includes(id) && text.includes(`"cause":"${cause}"`));
        t.ok(await eventually(isLogged), `${template} ${source}: in the log`);
      }
    }
  });
}
