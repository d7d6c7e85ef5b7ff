/** The cache of the studio keeps what the package keeps. */
import fc from 'fast-check';
import { LRUCache as Package } from 'lru-cache';
import t from 'tap';
import { LRUCache } from '#language/browser-lru-cache.ts';

const keys = 'abcdef'.split('');
const call = fc.record({
  key: fc.constantFrom(...keys),
  /** Absent: the key is read. */
  value: fc.option(fc.string({ minLength: 1, maxLength: 6 }), { nil: undefined }),
});
const sizeCalculation = (value: string, key: string): number => value.length + key.length;
const options = fc.constantFrom({ max: 3 }, { maxSize: 12, sizeCalculation });

t.test('any calls find the same values as in the package', async () => {
  fc.assert(
    fc.property(options, fc.array(call, { maxLength: 60 }), (given, calls) => {
      const small = new LRUCache<string, string>(given);
      const whole = new Package<string, string>(given);
      return calls.every(({ key, value }) => {
        if (value === undefined) return small.get(key) === whole.get(key);
        small.set(key, value);
        whole.set(key, value);
        return true;
      });
    }),
  );
});
