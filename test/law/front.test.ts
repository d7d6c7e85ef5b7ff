/** What one request may use of the thread that answers, whatever its document and its link say. */
import t from 'tap';
import { frontCases } from './front-documents.ts';
import { hostileCases } from './front-hostile.ts';
import { entranceNames } from './front-entrances.ts';
import { sizedCases } from './front-sizes.ts';
import { frontOffence, startFrontTrial } from './front.ts';

t.setTimeout(300_000);

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
