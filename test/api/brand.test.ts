import t from 'tap';
import fc from 'fast-check';
import { brandValues, followBrand } from '#language/brand.ts';
import type { Brand } from '#language/brand.ts';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { pngHeader as header, sampleDocument } from '../store/store-fixture.ts';

const pool = await sharePool();

const brand: Brand = {
  colors: [{ id: 'primary', name: 'Primary', value: '#b93a12' }],
  textStyles: [{ id: 'heading', name: 'Heading', fontFamily: 'Inter', fontWeight: 700 }],
  logos: [],
  fonts: [],
};

const box = { x: 0, y: 0, width: 100, height: 30 };

/** A text and a shape that follow the kit, with older values. */
const document = sampleDocument({
  name: 'Card',
  background: '#111111',
  brand: [{ property: 'background', entry: 'primary' }],
  variables: [{ name: 'who', type: 'text', value: 'friend' }],
  layers: [
    {
      id: 'title',
      type: 'text',
      text: 'Hi {{who}}',
      ...box,
      fontSize: 20,
      fontWeight: 400,
      brand: [{ property: 'textStyle', entry: 'heading' }],
    },
    {
      id: 'group',
      type: 'group',
      ...box,
      layers: [
        {
          id: 'shape',
          type: 'rect',
          ...box,
          fill: '#111111',
          stroke: { color: '#111111', width: 2 },
          brand: [
            { property: 'stroke.color', entry: 'primary' },
            { property: 'fill', entry: 'gone' },
          ],
        },
      ],
    },
  ],
});

t.test('a change of the kit reaches all templates that follow it, no pinned version', async (t) => {
  const { call, otherKey } = await startOrganizationApi(t, pool);
  t.match((await call('GET', '/v1/brand')).body, { brand: { colors: [] }, updated_at: null });
  await call('POST', '/v1/templates?uid=live', { body: document });
  await call('POST', '/v1/templates/live/publish', { body: {} });
  await call('POST', '/v1/templates?uid=changed', { body: document });
  await call('POST', '/v1/templates/changed/publish', { body: {} });
  const newer = { ...document, name: 'Newer' };
  await call('PUT', '/v1/templates/changed', { body: newer });
  const saved = await call('PUT', '/v1/brand', { body: brand });
  t.match(saved, { status: 200, body: { brand } });
  t.match((await call('GET', '/v1/brand')).body, saved.body);
  const behind = [
    { uid: 'changed', name: 'Card', published: true },
    { uid: 'live', name: 'Card', published: true },
  ];
  t.same((await call('GET', '/v1/brand/behind')).body, { templates: behind, next: null });

  for (const { uid } of behind) {
    const path = `/v1/templates/${uid}`;
    const followed = await call('POST', `${path}/brand`);
    t.match(followed, { status: 200, body: { draft: true, version: 2 } });
    t.same((await call('POST', `${path}/brand`)).body, { draft: false, version: null });
    const pinned = (await call('GET', `${path}/document?version=1`)).body;
    t.same(pinned, document, 'version 1 is what it was');
    const shown = (await call('GET', `${path}/document?version=2`)).body as Template;
    t.match(shown, { name: 'Card', background: '#b93a12' }, 'what waits in the draft stays there');
    t.match(shown.layers[0], { fontFamily: 'Inter', fontWeight: 700, fontSize: 20 });
    t.match(shown.layers[1], { layers: [{ stroke: { color: '#b93a12' }, fill: '#111111' }] });
  }
  t.match((await call('GET', '/v1/templates/live')).body, { state: 'live' });
  t.match((await call('GET', '/v1/templates/changed')).body, { state: 'changed' });
  t.same((await call('GET', '/v1/brand/behind')).body, { templates: [], next: null });
  t.match((await call('GET', '/v1/brand', { key: otherKey })).body, { updated_at: null });
});

t.test('a kit is bounded, its ids differ, and its logos are assets that stay', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const color = { id: 'a', name: 'A', value: '#fff' };
  const logo = { id: 'logo', name: 'Logo', src: `asset:${'0'.repeat(64)}` };
  for (const wrong of [
    {},
    { ...brand, colors: [{ ...color, value: 'red' }] },
    { ...brand, colors: [color, color] },
    { ...brand, fonts: [{ id: 'primary', name: 'Body', family: 'Inter' }] },
    { ...brand, logos: [logo] },
    { ...brand, colors: Array.from({ length: 51 }, (_, at) => ({ ...color, id: `c${at}` })) },
    { ...brand, textStyles: [{ id: 's', name: 'S', fontSize: 0 }] },
  ]) {
    const answer = await call('PUT', '/v1/brand', { body: wrong });
    t.equal(answer.status, 400, JSON.stringify(wrong).slice(0, 80));
  }
  const src = service.stores.assets.saveAsset('org_a', Buffer.from('logo'), header);
  const withLogo = { ...brand, logos: [{ ...logo, src }] };
  t.equal((await call('PUT', '/v1/brand', { body: withLogo })).status, 200);
  const used = await call('DELETE', `/v1/assets/${src}`);
  t.match(used, { status: 409, body: { error: /in use: the brand kit/ } });
});

t.test('a valid document that follows a kit stays valid, whatever its links name', async () => {
  const names =
    'fill background stroke.color stroke fontFamily textStyle constructor text width layers.0.fill';
  const property = fc.constantFrom(...names.split(' '));
  const entry = fc.constantFrom('primary', 'heading', 'gone');
  const links = fc.array(fc.record({ property, entry }), { maxLength: 6 });
  fc.assert(
    fc.property(links, links, (outer, inner) => {
      const [title, group] = structuredClone(document.layers);
      if (title === undefined || group?.type !== 'group') throw new Error('The layers are gone.');
      title.brand = inner;
      group.brand = inner;
      const before = { ...document, brand: outer, layers: [title, group] };
      if (!checkTemplate(before).ok) throw new Error('The document is not valid.');
      const after = followBrand(before, brand);
      const values = outer.flatMap((link) => brandValues(after, link, brand));
      const isSame = values.every(({ path, value }) => Reflect.get(after, path) === value);
      return checkTemplate(after).ok && isSame && followBrand(after, brand) === after;
    }),
    { numRuns: 100 },
  );
});
