/** Publishing while images are drawn: each image is of one version, to its last pixel. */
import t from 'tap';
import { decodePixels } from '../helpers/render.ts';
import { demoKey, startService } from './service.ts';

const [width, height] = [120, 90];

/** A ground and a bar of one colour, with a text between that is spliced over base renders. */
function documentOf(color: string): string {
  const bar = { type: 'rect', x: 0, width, height: 20, fill: color };
  return JSON.stringify({
    format: 1,
    name: 'one colour',
    width,
    height,
    background: color,
    variables: [{ name: 'name', type: 'text', value: 'you' }],
    layers: [
      { ...bar, id: 'above', y: 0 },
      { id: 'text', type: 'text', x: 10, y: 30, width: 100, height: 30, text: '{{name}}' },
      { ...bar, id: 'below', y: 70 },
    ],
  });
}

t.test('no image mixes two versions, and the next one after a publication is new', async (t) => {
  const service = await startService(t, { processCount: 2 });
  const headers = { 'X-API-Key': demoKey, 'Content-Type': 'application/json' };
  const send = async (method: string, path: string, body?: string): Promise<void> => {
    const url = service.base + path;
    const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
    t.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  };
  const colors = ['#c00000', '#0000c0'];
  await send('POST', '/v1/templates?uid=paint', documentOf(colors[0] ?? ''));
  await send('POST', '/v1/templates/paint/publish');
  const state = { isPublishing: true };
  const seen = new Set<string>();
  let drawn = 0;
  const draw = async (extension: string, number: number): Promise<string> => {
    const answer = await fetch(`${service.base}/v1/render/paint.${extension}?name=n${number}`);
    const { data } = await decodePixels(new Uint8Array(await answer.arrayBuffer()));
    const corners = [0, (width - 1) * 4, (height - 1) * width * 4, (width * height - 1) * 4];
    const shades = corners.map((at) => ((data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue'));
    t.equal(new Set(shades).size, 1, `${extension} ${number}: one version`);
    drawn += 1;
    return shades[0] ?? '';
  };
  const reader = async (extension: string, from: number): Promise<void> => {
    for (let number = from; state.isPublishing; number += 1)
      seen.add(await draw(extension, number));
  };
  const readers = Promise.all([reader('png', 0), reader('jpg', 1e6), reader('png', 2e6)]);
  for (let round = 1; round <= 8; round += 1) {
    await send('PUT', '/v1/templates/paint', documentOf(colors[round % 2] ?? ''));
    await send('POST', '/v1/templates/paint/publish');
    t.equal(await draw('png', 3e6 + round), round % 2 === 0 ? 'red' : 'blue', 'the new version');
  }
  state.isPublishing = false;
  await readers;
  t.same([...seen].toSorted(), ['blue', 'red']);
  t.ok(drawn > 20, `${drawn} images`);
});
