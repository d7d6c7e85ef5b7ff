/** Publications of a template on a started service beside the renders of its links. */
import t from 'tap';
import { decodePixels } from '../helpers/render.ts';
import { testDocument, textLayer, textVariable } from './published.ts';
import { demoKey, startService } from './service.ts';

const service = await startService(t, { threadCount: 2 });
const [width, height] = [120, 90];

/** Bars of one colour, one by a variable, with a text between that is spliced over base renders. */
function documentOf(color: string): object {
  const bar = { type: 'rect', x: 0, width, height: 20 } as const;
  return testDocument({
    width,
    height,
    background: color,
    variables: [textVariable('name', 'you'), { name: 'bar', type: 'color', value: color }],
    layers: [
      { ...bar, id: 'above', y: 0, fill: '{{bar}}' },
      textLayer('{{name}}', { x: 10, y: 30, width: 100, height: 30 }),
      { ...bar, id: 'below', y: 70, fill: color },
    ],
  });
}

async function call(method: string, path: string, body: object = {}): Promise<void> {
  const headers = { 'X-API-Key': demoKey };
  const { status, text } = await service.get(path, { method, headers, body: JSON.stringify(body) });
  t.ok(status < 300, `${method} ${path} ${text.slice(0, 300)}`);
}

t.test('no image mixes two versions, and the next one after a publication is new', async (t) => {
  const colors = ['#c00000', '#0000c0'];
  await call('POST', '/v1/templates?uid=paint', documentOf(colors[0] ?? ''));
  await call('POST', '/v1/templates/paint/publish');
  const state = { isPublishing: true };
  const seen = new Set<string>();
  let drawn = 0;
  const draw = async (extension: string, number: number): Promise<string> => {
    const { body } = await service.render(`paint.${extension}?name=n${number}`);
    const { data } = await decodePixels(body);
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
    await call('PUT', '/v1/templates/paint', documentOf(colors[round % 2] ?? ''));
    await call('POST', '/v1/templates/paint/publish');
    t.equal(await draw('png', 3e6 + round), round % 2 === 0 ? 'red' : 'blue', 'the new version');
  }
  state.isPublishing = false;
  await readers;
  t.same([...seen].toSorted(), ['blue', 'red']);
  t.ok(drawn > 20, `${drawn} images`);
});
