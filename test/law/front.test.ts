/** What one request may use of the thread that answers, whatever its document and its link say. */
import t from 'tap';
import { frontCases } from './front-documents.ts';
import { hostileCases } from './front-hostile.ts';
import { entranceNames } from './front-entrances.ts';
import { sizedCases } from './front-sizes.ts';
import { frontOffence, startFrontTrial } from './front.ts';
import type { Measured } from './front.ts';

t.setTimeout(300_000);

/** Pages and descriptions: the first request of each finds nothing in memory. */
const pages = [
  '/',
  '/docs',
  '/openapi.json',
  '/template.schema.json',
  '/studio',
  '/docs/api',
  '/docs/first-template',
  '/docs/search?q=link',
  '/client.js',
  '/pages/docs.js',
  '/nothing',
];

t.test('no first request for a page holds the thread that answers', async (t) => {
  const least = new Map<string, Measured>();
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const trial = await startFrontTrial(t, []);
    for (const path of pages) {
      const measured = await trial.measurePage(path);
      const known = least.get(path);
      if (known === undefined || sumOf(measured) < sumOf(known)) least.set(path, measured);
    }
  }
  for (const [path, measured] of least)
    t.equal(frontOffence(measured), undefined, `${path}: ${JSON.stringify(measured)}`);
});

function sumOf({ cpuMs, turnMs }: Measured): number {
  return cpuMs + turnMs;
}

t.test('no request holds the thread that answers, by whatever entrance it comes', async (t) => {
  const cases = [...hostileCases, ...sizedCases, ...frontCases(20, 20_261_129)];
  const trial = await startFrontTrial(t, cases);
  for (const index of cases.keys()) {
    for (const entrance of entranceNames) {
      const measured = await trial.measure(index, entrance);
      const what = `case ${index} by ${entrance}: ${JSON.stringify(measured)}`;
      t.equal(frontOffence(measured), undefined, what);
    }
  }
});
