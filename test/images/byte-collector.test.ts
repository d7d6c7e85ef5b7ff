/** Bodies are gathered in memory that is counted, and given back. */
import * as fc from 'fast-check';
import t from 'tap';
import { ByteBudget, ByteCollector } from '../../src/images/fetch/receive-body.ts';

/** Collects a body of a host, which may have `hostBytesMax` of the budget. */
const collect = (budget: ByteBudget, host: string, bytesMax: number, hostBytesMax = Infinity) =>
  new ByteCollector({ budget, owners: [{ key: host, bytesMax: hostBytesMax }], bytesMax });
const overloaded = { name: 'ImageError', reason: 'overloaded' };

t.test('what is appended is what comes out, in a buffer of just that length', async () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50_000 }), { maxLength: 8 }), (chunks) => {
      const budget = new ByteBudget(1024 * 1024);
      const collector = collect(budget, 'a', 400_000);
      for (const chunk of chunks) collector.append(chunk);
      const whole = Buffer.concat(chunks);
      const shared = collector.toShared();
      collector.release();
      return (
        Buffer.compare(whole, shared) === 0 &&
        shared.buffer.byteLength === whole.byteLength &&
        budget.used === 0
      );
    }),
    { numRuns: 100 },
  );
});

t.test('memory is taken as bytes come, at most twice as much, and up to the limit', async (t) => {
  const budget = new ByteBudget(10 * 1024 * 1024);
  const collector = collect(budget, 'a', 410_000);
  for (let sent = 1; sent <= 400; sent++) {
    collector.append(new Uint8Array(1000));
    t.ok(budget.used >= sent * 1000 && budget.used <= Math.max(65_536, sent * 2000));
    t.ok(budget.used <= 410_000);
  }
});

t.test('bodies share a budget, and a finished one gives its part back', async (t) => {
  const budget = new ByteBudget(200_000);
  const first = collect(budget, 'a', 200_000);
  first.append(new Uint8Array(100_000));
  const second = collect(budget, 'b', 200_000);
  t.throws(() => second.append(new Uint8Array(70_000)), overloaded);
  first.release();
  t.doesNotThrow(() => second.append(new Uint8Array(70_000)));
  second.release();
  t.equal(budget.used, 0);
});

t.test('one host takes no more than its share', async (t) => {
  const budget = new ByteBudget(1_000_000);
  const first = collect(budget, 'a', 150_000, 200_000);
  first.append(new Uint8Array(150_000));
  t.throws(() => collect(budget, 'a', 150_000, 200_000), overloaded);
  const other = collect(budget, 'b', 150_000, 200_000);
  other.append(new Uint8Array(150_000));
  first.release();
  t.doesNotThrow(() => collect(budget, 'a', 150_000, 200_000).release());
  other.release();
  t.equal(budget.used, 0);
});
