import t from 'tap';
import { RenderCosts } from '../../src/render/render-costs.ts';

const hello = { templateKey: 'org_a:hello', format: 'png', scale: 1 } as const;
const poster = { templateKey: 'org_a:poster', format: 'avif', scale: 1 } as const;

function learnOften(costs: RenderCosts, kind: typeof hello | typeof poster, ms: number): void {
  for (let count = 0; count < 60; count += 1) costs.learn(kind, ms);
}

t.test('each kind of render has an average of its own', (t) => {
  const costs = new RenderCosts();
  learnOften(costs, hello, 2);
  learnOften(costs, poster, 900);
  t.equal(costs.estimateMs(hello), 2);
  t.equal(costs.estimateMs(poster), 900);
  learnOften(costs, hello, 4);
  t.ok(Math.abs(costs.estimateMs(hello) - 4) < 0.1, 'and follows what it costs now');
  t.end();
});

t.test('the first renders, which are slow, are not taken for the rule', (t) => {
  const costs = new RenderCosts();
  const before = costs.estimateMs(hello);
  for (const ms of [400, 300, 150]) costs.learn(hello, ms);
  t.equal(costs.estimateMs(hello), before, 'they are not believed at once');
  for (const ms of [6, 5, 5, 5, 5]) costs.learn(hello, ms);
  t.equal(costs.estimateMs(hello), 5, 'nor when there are more');
  t.end();
});

t.test('what is dear from the first on is known after eight renders', (t) => {
  const costs = new RenderCosts();
  for (let count = 0; count < 8; count += 1) costs.learn(hello, 700);
  t.equal(costs.estimateMs(hello), 700);
  t.end();
});

t.test('what was never drawn is told from others of its format, by its pixels', (t) => {
  const costs = new RenderCosts();
  const unknown = { ...hello, templateKey: 'org_a:unknown' };
  t.ok(costs.estimateMs(unknown) > 0);
  learnOften(costs, hello, 30);
  t.equal(costs.estimateMs(unknown), 30);
  t.equal(costs.estimateMs({ ...unknown, scale: 3 }), 270);
  t.ok(
    costs.estimateMs({ ...unknown, format: 'avif' }) >
      costs.estimateMs({ ...unknown, format: 'jpeg' }),
    'another format is not',
  );
  t.end();
});

t.test('no more kinds are remembered than fit, the latest ones', (t) => {
  const costs = new RenderCosts();
  for (let count = 0; count < 5000; count += 1) {
    costs.learn({ ...hello, templateKey: `org_a:${count}` }, 2);
  }
  t.equal(costs.estimateMs({ ...hello, templateKey: 'org_a:4999' }), 2);
  t.not(costs.estimateMs({ ...hello, templateKey: 'org_a:1' }), 2);
  t.end();
});

t.test(
  'templates that are drawn too seldom to be known tell together how slow renders are',
  (t) => {
    const costs = new RenderCosts();
    t.equal(costs.slowness, 1);
    const seldom = (index: number) =>
      ({ templateKey: `a:${index}`, format: 'png', scale: 1 }) as const;
    for (let index = 0; index < 15; index += 1) costs.learn(seldom(index), 10);
    for (let index = 15; index < 20; index += 1) costs.learn(seldom(index), 450);
    t.equal(costs.slowness, 1, 'a few first renders tell nothing');
    for (let index = 20; index < 35; index += 1) costs.learn(seldom(index), 450);
    t.equal(costs.slowness, 45);
    for (let index = 35; index < 50; index += 1) costs.learn(seldom(index), 5);
    t.equal(costs.slowness, 1);
    t.end();
  },
);
