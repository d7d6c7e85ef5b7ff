/** The law of rendering over the documents of one seed; `npm run law` draws others. */
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { offence, runLaw } from './campaign.ts';

const documents = extent(12, 60);
t.setTimeout(1000 * (60 + 5 * documents));

t.test('every accepted document is drawn or refused within 2 s and 512 MB', async (t) => {
  let drawn = 0;
  await runLaw({ documents, seed: 14, processes: 1 }, (each) => {
    if (each.result?.outcome === 'rendered') drawn += 1;
    const fault = offence(each);
    if (fault !== undefined)
      t.fail(fault, { lawCase: JSON.stringify(each.lawCase).slice(0, 4000) });
  });
  t.ok(drawn > documents / 3, `${drawn} of ${documents} documents are drawn`);
});
