import { Agent } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { startRawOrigin } from '../fixtures/images-origin.ts';
import { checkSame, plainImage } from './image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from './published.ts';
import type { Shelf } from './published.ts';
import { checkError } from './request.ts';
import type { Answer } from './request.ts';
import { startService } from './service.ts';
import type { Service } from './service.ts';

const green = await plainImage('#00ff00');
const silent = await startRawOrigin(() => undefined);
t.teardown(() => silent.close());

function fill({ publish, saveAsset }: Shelf): void {
  const document = {
    width: 800,
    height: 600,
    variables: [
      textVariable('name', 'friend'),
      { name: 'photo', type: 'image' as const, value: saveAsset(green) },
    ],
    layers: [textLayer('{{name}}', { width: 800, height: 600 }), imageLayer('{{photo}}')],
  };
  publish('plain', document);
  publish('covered', { ...document, onError: 'image' });
}

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), fill);
const options = { dataDirectory, origins: [silent] };
const service = await startService(t, {
  ...options,
  environment: {
    PLATEN_RENDER_QUEUE_MAX: '2',
    PLATEN_RENDER_TIMEOUT_MS: '3000',
    // No fetch fails before the deadline: that would be a 400.
    PLATEN_IMAGES_TOTAL_TIMEOUT_MS: '30000',
  },
});

async function burst(target: Service, uid: string, requests: number): Promise<Answer[]> {
  const agent = new Agent({ maxSockets: requests });
  const answers = await Promise.all(
    Array.from({ length: requests }, (_, index) =>
      target.render(`${uid}?_scale=2&name=${uid}+${index}`, { agent }),
    ),
  );
  agent.destroy();
  return answers;
}

t.test('more renders than may wait are 503 and say when to come back', async (t) => {
  // On a machine without a free core two renders that wait may take seconds.
  const patient = await startService(t, {
    ...options,
    dataDirectory: fillDataDirectory(join(t.testdir(), 'data'), fill),
    environment: { PLATEN_RENDER_QUEUE_MAX: '2', PLATEN_RENDER_TIMEOUT_MS: '60000' },
  });
  // First renders take many times as long as those behind them.
  for (const name of ['one', 'two', 'three']) await patient.render(`plain?_scale=2&name=${name}`);
  const answers = await burst(patient, 'plain', 40);
  const refused = answers.filter(({ status }) => status !== 200);
  t.ok(refused.length > 0, 'not all can be drawn');
  t.ok(refused.length < answers.length, 'but some are');
  for (const answer of refused) {
    checkError(t, answer, 503, 'OVERLOADED');
    t.match(answer.headers['retry-after'], /^[1-9]\d*$/);
  }
  t.equal((await patient.render('plain?name=after')).status, 200, 'and then it is over');
});

t.test('a render that cannot be had before its deadline is 504', async (t) => {
  const answer = await service.render(`plain?photo=${silent.url('/a.png')}`);
  checkError(t, answer, 504, 'TIMEOUT');
});

t.test('with onError: "image" both are the default image', async (t) => {
  const byDefault = await service.render('covered');
  const late = await service.render(`covered?photo=${silent.url('/b.png')}`);
  t.equal(late.headers['x-render-error'], 'TIMEOUT');
  const refused = (await burst(service, 'covered', 40)).filter(
    ({ headers }) => headers['x-render-error'],
  );
  t.ok(refused.length > 0);
  for (const answer of [late, ...refused.slice(0, 5)]) {
    t.equal(answer.status, 200);
    t.match(answer.headers['x-render-error'], /^(OVERLOADED|TIMEOUT)$/);
    t.equal(answer.headers['cache-control'], 'private, max-age=15');
    t.equal(answer.headers.etag, undefined);
    await checkSame(t, answer, byDefault, 'it is the default');
  }
});

t.test('what the alarm of an overload asks for moves, though every answer is 200', async (t) => {
  const refusedOf = (code: string): Promise<number> =>
    service.metric(`platen_errors_total{route="render",code="${code}"}`);
  const before = [await refusedOf('OVERLOADED'), await refusedOf('TIMEOUT')];
  const late = await service.render(`covered?photo=${silent.url('/c.png')}`);
  const answers = [late, ...(await burst(service, 'covered', 40))];
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]));
  const reported = answers.map(({ headers }) => headers['x-render-error']);
  const after = [await refusedOf('OVERLOADED'), await refusedOf('TIMEOUT')];
  for (const [index, code] of ['OVERLOADED', 'TIMEOUT'].entries()) {
    const count = reported.filter((each) => each === code).length;
    t.ok(count > 0, code);
    t.equal((after[index] ?? 0) - (before[index] ?? 0), count, code);
  }
});
