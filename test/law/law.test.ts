/** The law of rendering, over as many documents of one seed as fit into its time; `npm run law` draws more. */
import t from 'tap';
import { offence, runLaw } from './campaign.ts';

const timeLimitMs = 30_000;
t.setTimeout(180_000);

t.test('every accepted document is drawn or refused within 2 s and 512 MB', async (t) => {
  const untilMs = performance.now() + timeLimitMs;
  let measured = 0;
  let drawn = 0;
  await runLaw({ documents: 120, seed: 14, processes: 1, untilMs }, (each) => {
    measured += 1;
    if (each.result?.outcome === 'rendered') drawn += 1;
    const fault = offence(each);
    if (fault !== undefined)
      t.fail(fault, { lawCase: JSON.stringify(each.lawCase).slice(0, 4000) });
  });
  t.ok(drawn > measured / 3, `${drawn} of ${measured} documents are drawn`);
  t.ok(measured > 5, `${measured} documents are measured`);
});
