import t from 'tap';
import type { Deadline } from '../../src/foundation/deadline.ts';
import type { Render } from '../../src/render/cache.ts';
import { RenderFlights } from '../../src/render/cache.ts';
import { within } from '../fixtures/render-pool.ts';

const render: Render = {
  bytes: new Uint8Array(1),
  format: 'png',
  etag: '"x"',
  warnings: [],
  stages: {},
  drawn: 'whole',
  freshUntilMs: Infinity,
};

/** Work that ends when a test says so. */
function heldWork(): {
  work: (deadline: Deadline) => Promise<Render>;
  end: () => void;
  deadlines: Deadline[];
} {
  const deadlines: Deadline[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async (deadline: Deadline): Promise<Render> => {
    deadlines.push(deadline);
    await ended;
    return render;
  };
  return { work, end, deadlines };
}

// Deadlines keep no process alive; in the service its connections do.
const alive = setInterval(() => undefined, 1000);
t.teardown(() => clearInterval(alive));

t.test('many requests for one key at a time get one piece of work', async (t) => {
  const flights = new RenderFlights();
  const { work, end, deadlines } = heldWork();
  const runs = Array.from({ length: 50 }, () => flights.run('key', within(5000), () => work));
  const other = flights.run('other', within(5000), () => async () => render);
  t.equal(flights.size, 2);
  end();
  const results = await Promise.all(runs);
  t.equal(deadlines.length, 1);
  t.equal(results.filter(({ shared }) => !shared).length, 1, 'one of them led');
  t.equal((await other).shared, false);
  t.equal(flights.size, 0);
});

t.test(
  'a waiter’s deadline ends its waiting alone, and the work lives as long as the last waiter',
  async (t) => {
    const flights = new RenderFlights();
    const { work, end, deadlines } = heldWork();
    const short = flights.run('key', within(20), () => work);
    const lastMs = performance.now() + 5000;
    const long = flights.run('key', within(5000), () => work);
    await t.rejects(short, { code: 'TIMEOUT' });
    t.ok((deadlines[0]?.atMs ?? 0) >= lastMs - 1, 'the leader left, the deadline moved on');
    t.equal(deadlines[0]?.signal.aborted, false);
    end();
    t.equal((await long).value, render);
  },
);

t.test('a failure reaches everybody and is forgotten', async (t) => {
  const flights = new RenderFlights();
  const fail = async (): Promise<Render> => {
    throw new Error('broken');
  };
  const runs = [1, 2].map(() => flights.run('key', within(5000), () => fail));
  for (const result of await Promise.allSettled(runs)) {
    t.match(result, { status: 'rejected', reason: { message: 'broken' } });
  }
  t.equal((await flights.run('key', within(5000), () => async () => render)).value, render);
});

t.test(
  'one admission leads a flight, and a refusal is thrown at once and leaves none',
  async (t) => {
    const flights = new RenderFlights();
    const refuse = (): never => {
      throw new Error('full');
    };
    t.throws(() => flights.run('key', within(5000), refuse), { message: 'full' });
    t.equal(flights.size, 0);
    const { work, end } = heldWork();
    const first = flights.run('key', within(5000), () => work);
    const joined = flights.run('key', within(5000), refuse);
    end();
    t.equal((await joined).shared, true, 'who joins is not admitted');
    await first;
  },
);
