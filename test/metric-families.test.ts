import t from 'tap';
import {
  counterFamily,
  gaugeFamily,
  Histogram,
  histogramFamily,
  Tally,
  writeFamilies,
} from '../src/foundation/metric-families.ts';
import { parseMetrics } from './helpers/metrics.ts';

t.test('each family is written once, with its help, its type and its samples', async (t) => {
  const text = writeFamilies([
    counterFamily('made_total', 'Things made.', () => [
      [{ kind: 'a' }, 1],
      [{ kind: 'b' }, 2.5],
    ]),
    gaugeFamily('held', 'Things held.', () => 3),
  ]);
  t.equal(
    text,
    [
      '# HELP made_total Things made.',
      '# TYPE made_total counter',
      'made_total{kind="a"} 1',
      'made_total{kind="b"} 2.5',
      '# HELP held Things held.',
      '# TYPE held gauge',
      'held 3',
      '',
    ].join('\n'),
  );
});

t.test('whatever a help or a label says, a foreign parser reads it back', async (t) => {
  for (const odd of ['"', '\\', '\n', '\\n', '}{', ' # HELP x y\nx 1', '😀', '\\"\n\\']) {
    const families = [gaugeFamily('odd', odd, () => [[{ label: odd, other: 'x' }, 1]])];
    const [family, ...rest] = parseMetrics(writeFamilies(families)).families;
    t.same(rest, []);
    t.match(family, { name: 'odd', type: 'GAUGE', metrics: [{ value: '1' }] });
    t.same(family?.metrics[0]?.labels, { label: odd, other: 'x' }, JSON.stringify(odd));
  }
});

t.test('a histogram counts a value in each bucket that it does not exceed', async (t) => {
  const histogram = new Histogram([1, 2, 5]);
  for (const value of [0, 1, 1.5, 2, 4, 100]) histogram.observe(value);
  const family = histogramFamily('size', 'Sizes.', histogram);
  t.equal(
    writeFamilies([family]).split('\n').slice(2).join('\n'),
    [
      'size_bucket{le="1"} 2',
      'size_bucket{le="2"} 4',
      'size_bucket{le="5"} 5',
      'size_bucket{le="+Inf"} 6',
      'size_sum 108.5',
      'size_count 6',
      '',
    ].join('\n'),
  );
});

t.test('a tally of too many values counts the rest together', async (t) => {
  const tally = new Tally('word', ['a'], 2);
  for (const word of ['a', 'b', 'c', 'd', 'a']) tally.add(word);
  t.same(
    [...tally.values({ x: 'y' })],
    [
      [{ x: 'y', word: 'a' }, 2],
      [{ x: 'y', word: 'b' }, 1],
      [{ x: 'y', word: 'other' }, 2],
    ],
  );
});
