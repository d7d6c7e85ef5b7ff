import t from 'tap';
import { budgets } from '../../bench/budgets.ts';
import type { Budget } from '../../bench/budgets.ts';
import { chooseScenarios } from '../../bench/choose-scenarios.ts';
import type { Machine } from '../../bench/report.ts';
import { benchmarkPage, measurementLine } from '../../bench/report.ts';
import { mergeResults } from '../../bench/results.ts';
import type { Measurement, Scenario } from '../../bench/scenario.ts';

const machine: Machine = {
  processor: 'A processor',
  cores: 2,
  memoryBytes: 8 * 2 ** 30,
  system: 'linux x64',
  node: 'v22.0.0',
  packages: { sharp: '1.2.3' },
};

const hit: Measurement = { budget: 'hit', reached: 0.912_34, how: 'wrk' };
const memory: Measurement = { budget: 'memory', reached: 1.3, how: 'renders' };

t.test('the page states bar, figure and occasion, and says which bar is missed', (t) => {
  const older = { date: '2030-01-01', revision: 'aaaaaaa' };
  const newer = { date: '2030-02-01', revision: 'bbbbbbb' };
  const peers = [
    { name: 'Platen', jpegPerSecond: 600, pngPerSecond: 200 },
    { name: 'Other', jpegPerSecond: 150, pngPerSecond: 50 },
  ];
  const first = mergeResults({ measurements: {} }, { measurements: [memory] }, older);
  const page = benchmarkPage(mergeResults(first, { measurements: [hit], peers }, newer), machine);
  t.match(page, 'Measured on 2030-02-01 at revision bbbbbbb: A processor, 2 cores, 8 GiB');
  t.match(page, /\| ≥ 0\.85× \| \*\*0\.91×\*\* \| wrk \|/);
  t.match(
    page,
    /\*\*1\.30× \(missed\)\*\* \| renders \(older: measured on 2030-01-01 at aaaaaaa\) \|/,
  );
  t.match(page, '| Other | 150 (1 : 4) | 50 (1 : 4) |');
  t.match(page, '`sharp` 1.2.3.');
  t.end();
});

t.test('what was not measured is said, never left out', (t) => {
  const occasion = { date: '2030-01-01T10:00:00.000Z', revision: 'aaaaaaa' };
  const measured = mergeResults({ measurements: {} }, { measurements: [hit] }, occasion);
  const page = benchmarkPage(measured, machine);
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  t.equal(rows.length, Object.keys(budgets).length + 2, 'a row a budget, the head and its line');
  t.equal(rows.filter((row) => row.includes('| not measured |')).length, rows.length - 3);
  t.match(page, /## Alternatives\n\nNot measured/);

  const peers = [{ name: 'Platen', jpegPerSecond: 600, pngPerSecond: 200 }, { name: 'Other' }];
  const withPeers = mergeResults(measured, { measurements: [], peers }, occasion);
  t.match(benchmarkPage(withPeers, machine), '| Other | not measured | not measured |');
  t.end();
});

t.test('the head is the newest measurement, and all others are marked as older', (t) => {
  // The order in which they stand in the file says nothing: a row keeps its place.
  const of = (date: string, revision: string) => ({ date, revision });
  const courses = [
    [of('2030-01-01', 'day'), of('2030-01-01T09:00:00.000Z', 'morning')],
    [of('2030-01-01T09:00:00.000Z', 'morning'), of('2030-01-01', 'day')],
    [of('2029-12-31T23:59:00.000Z', 'day'), of('2030-01-01T09:00:00.000Z', 'morning')],
    [of('2030-01-01T09:00:00.000Z', 'morning'), of('2030-01-01T08:59:00.000Z', 'day')],
  ] as const;
  for (const [first, second] of courses) {
    const known = mergeResults({ measurements: {} }, { measurements: [hit] }, first);
    const page = benchmarkPage(mergeResults(known, { measurements: [memory] }, second), machine);
    t.match(page, 'Measured on 2030-01-01 at revision morning:');
    t.match(page, /\(older: measured on \d{4}-\d\d-\d\d at day\)/);
    t.notMatch(page, 'at morning)');
  }
  t.end();
});

t.test('a line without a bar says why it is there', (t) => {
  const page = benchmarkPage({ measurements: {} }, machine);
  for (const { claim, bar, why } of Object.values<Budget>(budgets)) {
    const line = page.split('\n').find((each) => each.startsWith(`| ${claim} `)) ?? '';
    if (bar === undefined) t.match(line, `(no bar: ${why}) | – |`);
    else t.notMatch(line, 'no bar');
  }
  t.end();
});

t.test('a scenario that is measured again takes the place of its older figure', (t) => {
  const occasion = { date: '2030-01-01', revision: 'aaaaaaa' };
  const known = mergeResults({ measurements: {} }, { measurements: [hit, memory] }, occasion);
  const again = mergeResults(known, { measurements: [{ ...hit, reached: 1 }] }, occasion);
  t.equal(again.measurements.hit?.reached, 1);
  t.same(again.measurements.memory, known.measurements.memory);
  t.end();
});

t.test('a line of the terminal says whether the bar is reached', (t) => {
  t.match(measurementLine(hit), /^reached .* 0\.91× .*≥ 0\.85×/);
  t.match(measurementLine(memory), /^MISSED .* 1\.30× .*≤ 1\.10×/);
  t.match(measurementLine({ budget: 'first-start', reached: 2, how: '' }), /^ +2 s +– /);
  t.end();
});

t.test('words choose scenarios and the effort, and a wrong word says which there are', (t) => {
  const scenario = (name: string, words: string[] = []): Scenario => ({
    name,
    words,
    programs: [],
    needsPeers: false,
    run: () => Promise.resolve({ measurements: [] }),
  });
  const all = [
    scenario('text-jpeg', ['thread']),
    scenario('photo-jpeg', ['thread']),
    scenario('burst'),
  ];
  const chosen = (...words: string[]): string[] =>
    chooseScenarios(all, words).chosen.map(({ name }) => name);
  t.same(chosen(), ['text-jpeg', 'photo-jpeg', 'burst']);
  t.same(chosen('quick'), ['text-jpeg', 'photo-jpeg', 'burst']);
  t.same(chosen('burst', 'photo', 'long'), ['photo-jpeg', 'burst']);
  t.same(chosen('thread'), ['text-jpeg', 'photo-jpeg']);
  t.equal(chooseScenarios(all, ['burst', 'long']).effort, 'long');
  t.equal(chooseScenarios(all, []).effort, 'normal');
  t.throws(
    () => chooseScenarios(all, ['brust']),
    /"brust": there are text-jpeg, photo-jpeg, burst/,
  );
  t.end();
});
