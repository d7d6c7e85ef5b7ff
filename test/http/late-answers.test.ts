import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { LateAnswers } from '../../src/http/turn-budget.ts';

t.test('answers that come at once are given in order, some in each turn', async (t) => {
  const answers = new LateAnswers();
  const given: number[] = [];
  for (let number = 0; number < 200; number += 1) answers.run(() => given.push(number));
  const counts = [given.length];
  while (given.length < 200) {
    await turn();
    counts.push(given.length);
  }
  t.same(counts, [64, 128, 192, 200]);
  t.same(
    given,
    Array.from({ length: 200 }, (_, number) => number),
  );
});

t.test('an answer behind those that wait keeps its position, and few never wait', async (t) => {
  const answers = new LateAnswers();
  const given: number[] = [];
  for (let number = 0; number < 65; number += 1) answers.run(() => given.push(number));
  setImmediate(() => answers.run(() => given.push(65)));
  await turn();
  await turn();
  t.same(given.slice(-2), [64, 65]);
  answers.run(() => given.push(66));
  t.equal(given.at(-1), 66);
});
