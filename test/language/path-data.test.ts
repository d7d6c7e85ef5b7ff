import { pathNumberMax, pathProblem } from '#language/check/path-data.ts';
import * as fc from 'fast-check';
import t from 'tap';

t.test('path data as drawing programs write it is taken', async (t) => {
  const fine = [
    '',
    ' ',
    'M0 0',
    'm 10,20 30 40',
    'M0,0L1.5.5-.5-1.5e-3 7e2,5',
    'M0 0H5V5h-5v-5Z m1 1z',
    'M0 0C1 2 3 4 5 6s7 8 9 10Q1 2 3 4T5 6t7 8',
    'M10 70a60 60 0 01120 0a30 30 0 1 1-60,0A30 30 0 00-60 0z',
    `M${pathNumberMax} -${pathNumberMax}`,
    'M0.12345678901234567890 0',
  ];
  for (const data of fine) t.equal(pathProblem(data), undefined, data);
});

t.test('a mistake is named with its position', async (t) => {
  const wrong: [data: string, problem: string][] = [
    ['L0 0', 'does not begin with M'],
    ['10 10', 'has no command at character 1'],
    ['M', 'needs a number at character 2'],
    ['M0', 'needs a number at character 3'],
    ['M0 0L', 'needs a number at character 6'],
    ['M0 0 L5 5 6', 'needs a number at character 12'],
    ['M0 0X5 5', 'has no command at character 5'],
    ['M0 0A5 5 0 2 0 1 1', 'needs a 0 or 1 at character 12'],
    ['M0 0Z5 5', 'has no command at character 6'],
    ['M1e308 0', 'has a number over 1000000 at character 2'],
    ['M0 1e99999', 'has a number over 1000000 at character 4'],
    ['M0 1000001', 'has a number over 1000000 at character 4'],
    ['MNaN 0', 'needs a number at character 2'],
    ['M0 0L+-5 5', 'needs a number at character 6'],
  ];
  for (const [data, problem] of wrong) t.equal(pathProblem(data), problem, data);
});

t.test('no text makes it throw or take long', async (t) => {
  const characters = fc.constantFrom(...Array.from('MmLlHhVvCcSsQqTtAaZz0123456789eE+-., \n'));
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 200 }), (data) => {
      const problem = pathProblem(data);
      return problem === undefined || problem.length < 60;
    }),
    { numRuns: 500 },
  );
  // A search that goes back would take longer than the test may.
  for (const part of ['0 ', '1', '.1', ' '])
    t.type(pathProblem('M' + part.repeat(1_000_000 / part.length)) ?? '', 'string');
});
