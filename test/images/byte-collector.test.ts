/** Bodies are gathered in memory that is counted, and given back. */
import * as fc from 'fast-check';
import t from 'tap';
import { ByteBudget, ByteCollector } from '../../src/images/fetch/receive-body.ts';
import type { ByteOwner } from '../../src/images/fetch/receive-body.ts';

/** A host that may have `bytesMax` of the budget. */
const ownedBy = (key: string, bytesMax = Infinity): { owners: ByteOwner[] } => ({
  owners: [{ key, bytesMax }],
});

t.test('what is appended is what comes out, in a buffer of just that length', (t) => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50_000 }), { maxLength: 8 }), (chunks) => {
      const budget = new ByteBudget(1024 * 1024);
      const collector = new ByteCollector({ budget, ...ownedBy('a'), bytesMax: 400_000 });
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
  t.end();
});

t.test('memory is taken as bytes come, at most twice as much and no more than the limit', (t) => {
  const budget = new ByteBudget(10 * 1024 * 1024);
  const collector = new ByteCollector({ budget, ...ownedBy('a'), bytesMax: 410_000 });
  for (let sent = 1; sent <= 400; sent++) {
    collector.append(new Uint8Array(1000));
    t.ok(budget.used >= sent * 1000 && budget.used <= Math.max(65_536, sent * 2000));
    t.ok(budget.used <= 410_000);
  }
  t.end();
});

t.test('bodies share a budget, and a finished one gives its part back', (t) => {
  const budget = new ByteBudget(200_000);
  const first = new ByteCollector({ budget, ...ownedBy('a'), bytesMax: 200_000 });
  first.append(new Uint8Array(100_000));
  const second = new ByteCollector({ budget, ...ownedBy('b'), bytesMax: 200_000 });
  t.throws(() => second.append(new Uint8Array(70_000)), {
    name: 'ImageError',
    reason: 'overloaded',
  });
  first.release();
  t.doesNotThrow(() => second.append(new Uint8Array(70_000)));
  second.release();
  t.equal(budget.used, 0);
  t.end();
});

t.test('one host takes no more than its share', (t) => {
  const budget = new ByteBudget(1_000_000);
  const options = { budget, bytesMax: 150_000 };
  const first = new ByteCollector({ ...options, ...ownedBy('a', 200_000) });
  first.append(new Uint8Array(150_000));
  t.throws(() => new ByteCollector({ ...options, ...ownedBy('a', 200_000) }), {
    name: 'ImageError',
    reason: 'overloaded',
  });
  const other = new ByteCollector({ ...options, ...ownedBy('b', 200_000) });
  other.append(new Uint8Array(150_000));
  first.release();
  t.doesNotThrow(() => new ByteCollector({ ...options, ...ownedBy('a', 200_000) }).release());
  other.release();
  t.equal(budget.used, 0);
  t.end();
});
