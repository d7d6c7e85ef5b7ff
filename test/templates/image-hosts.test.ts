import t from 'tap';
import { createStores, openStores } from './store-fixture.ts';

t.test('an organization allows images from anywhere until it lists hosts', (t) => {
  const stores = createStores(t);
  const { organizations } = stores;
  const other = openStores(t, stores.path);
  t.equal(organizations.findImageHosts('org_a'), undefined);
  organizations.setImageHosts('org_a', [
    '*.Example.com',
    'bücher.example.',
    'a.example',
    'a.example',
  ]);
  const listed = ['*.example.com', 'a.example', 'xn--bcher-kva.example'];
  t.same(other.organizations.findImageHosts('org_a'), listed, 'at once, in every process');
  organizations.setImageHosts('org_a', []);
  t.same(organizations.findImageHosts('org_a'), []);
  organizations.setImageHosts('org_a', undefined);
  t.equal(organizations.findImageHosts('org_a'), undefined);
  t.equal(organizations.findImageHosts('org_none'), undefined);
  t.end();
});

t.test('what is no host name is refused, and the list stays as it was', (t) => {
  const { organizations } = createStores(t);
  organizations.setImageHosts('org_a', ['a.example']);
  const wrong = [
    '',
    '*',
    '*.',
    'https://a.example',
    'a.example:80',
    'a.example/x',
    'a b',
    '*.*.a',
    'a..b',
    '[::1]',
    `${'x'.repeat(64)}.example`,
  ];
  for (const host of wrong) {
    t.throws(
      () => organizations.setImageHosts('org_a', ['b.example', host]),
      { code: 'INVALID' },
      host,
    );
  }
  const many = Array.from({ length: 101 }, (_, index) => `h${index}.example`);
  t.throws(() => organizations.setImageHosts('org_a', many), { code: 'INVALID' });
  t.throws(() => organizations.setImageHosts('org_none', []), {
    code: 'INVALID',
    message: /does not exist/,
  });
  t.same(organizations.findImageHosts('org_a'), ['a.example']);
  t.end();
});
