/** The font library: every family can be shown, added and drawn. */
import t from 'tap';
import { createFontLibrary } from '../../src/store/assets/font-library.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';

const pool = await sharePool();

interface Added {
  fonts: { family: string; weight: number }[];
}

t.test('a family of the library is shown, and added once', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { families } = (await call('GET', '/v1/fonts/library')).body as {
    families: { id: string; family: string; weights: number[] }[];
  };
  t.ok(families.length >= 60, `${families.length} families`);
  t.match(
    families.find(({ id }) => id === 'montserrat'),
    { family: 'Montserrat', weights: [400, 700] },
  );
  const specimen = await call('GET', '/v1/fonts/library/montserrat');
  t.equal(specimen.headers.get('content-type'), 'font/woff2');
  t.match(specimen.text, /^wOF2/);

  const added = await call('POST', '/v1/fonts/library/montserrat');
  t.equal(added.status, 200, added.text);
  t.same(
    (added.body as Added).fonts.map(({ family, weight }) => [family, weight]),
    [
      ['Montserrat', 400],
      ['Montserrat', 700],
    ],
  );
  t.same((await call('POST', '/v1/fonts/library/montserrat')).body, added.body, 'again');
  const { fonts } = service.stores;
  t.equal(fonts.listFonts('org_a').length, 2);
  t.equal(fonts.listFonts('org_b').length, 0, 'another organization has none of it');
  t.equal((await call('GET', '/v1/fonts/library/nothing')).status, 404);
  t.equal((await call('POST', '/v1/fonts/library/nothing')).status, 404);
});

t.test('every family has its files', async (t) => {
  const library = createFontLibrary();
  for (const family of library.list()) {
    for (const weight of family.weights) {
      const file = library.readFile(family, weight);
      t.equal(file.subarray(0, 4).toString('latin1'), 'wOF2', `${family.id} ${weight}`);
    }
  }
});
