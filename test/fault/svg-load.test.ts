/** SVGs that are drawn beside hostile ones, under the load of eight clients that wait as they are told to. */
import { join } from 'node:path';
import t from 'tap';
import { askPatiently } from '../e2e/ask-patiently.ts';
import { fillDataDirectory, imageLayer } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { hostileSvgs } from '../fixtures/hostile-svg.ts';

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  const variables = [{ name: 'logo', type: 'image' as const, value: '' }];
  publish('logo', { variables, layers: [imageLayer('{{logo}}')] });
});
const service = await startService(t, { dataDirectory });

t.test('sound SVGs of a template are drawn beside hostile ones', async (t) => {
  const target = (svg: string): string =>
    `logo?logo=${encodeURIComponent(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`)}`;
  const sound = (index: number): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="${index / 10}"/></svg>`;
  const hostile = (index: number): string =>
    (hostileSvgs['a wide feMorphology'] ?? '').replace('1000', String(1000 + index));
  const work = Array.from({ length: 96 }, (_, index) => ({
    isSound: index % 16 !== 3,
    target: target(index % 16 === 3 ? hostile(index) : sound(index)),
  }));
  const refused: number[] = [];
  const client = async (): Promise<void> => {
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      const each = next;
      const answer = await askPatiently(() => service.render(each.target), each.isSound ? 3 : 1);
      if (each.isSound && answer.status !== 200) refused.push(answer.status);
      if (!each.isSound) t.not(answer.status, 200);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  t.same(refused, [], 'no sound one is refused');
});
