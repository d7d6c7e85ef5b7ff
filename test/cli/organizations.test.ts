import t from 'tap';
import { startService } from '../e2e/service.ts';
import { runPlaten } from './run-platen.ts';

interface MadeOrganization {
  organization: { uid: string; name: string };
  key: string;
}

t.test(
  'an organization is made with a key, listed, and named where there are several',
  async (t) => {
    const environment = { PLATEN_DATA_DIR: t.testdir() };
    const made = await runPlaten(['org', 'create', 'Acme', '--json'], { environment });
    t.equal(made.code, 0);
    const { organization, key } = made.json() as MadeOrganization;
    t.match(organization, { uid: /^org_/, name: 'Acme' });
    t.match(key, /^pk_live_\w{32}$/);
    t.same(Object.keys(made.json() as object), ['organization', 'key']);

    t.equal((await runPlaten(['key', 'list'], { environment })).code, 0, 'the only one');
    await runPlaten(['org', 'create', 'Other'], { environment });
    const listed = await runPlaten(['org', 'list', '--json'], { environment });
    t.match(listed.json(), { organizations: [{ name: 'Acme' }, { name: 'Other' }] });
    const unnamed = await runPlaten(['key', 'list'], { environment });
    t.equal(unnamed.code, 2);
    t.match(unnamed.stderr, /choose one with --org: .*\(Acme\), .*\(Other\)/);
    for (const org of ['Acme', organization.uid]) {
      const keys = await runPlaten(['key', 'list', '--org', org, '--json'], { environment });
      t.match(keys.json(), {
        keys: [{ name: 'first', scopes: ['read', 'render', 'write'], revoked_at: null }],
      });
    }
    const unknown = await runPlaten(['key', 'list', '--org', 'Nobody'], { environment });
    t.equal(unknown.code, 66);
    const nameless = await runPlaten(['org', 'create', ''], { environment });
    t.equal(nameless.code, 1);
    t.match(nameless.stderr, /1 to 200 characters/);
  },
);

t.test('a running service sees a new key, and the end of it, at once', async (t) => {
  const dataDirectory = t.testdir();
  const service = await startService(t, { dataDirectory });
  const environment = { PLATEN_DATA_DIR: dataDirectory };
  const statusOf = async (key: string): Promise<number> => {
    const answer = await service.get('/v1/validate-organization', {
      headers: { 'X-API-Key': key },
    });
    return answer.status;
  };
  const args = ['key', 'create', 'mail', '--scopes', 'read', '--json'];
  const made = (await runPlaten(args, { environment })).json() as { id: number; key: string };
  t.match(made, { name: 'mail', scopes: ['read'] });
  t.equal(await statusOf(made.key), 200);
  const revoked = await runPlaten(['key', 'revoke', String(made.id)], { environment });
  t.equal(revoked.code, 0);
  t.equal(await statusOf(made.key), 401);
  const again = await runPlaten(['key', 'revoke', String(made.id)], { environment });
  t.equal(again.code, 1);
  t.match(again.stderr, /no valid key/);
  t.equal((await runPlaten(['key', 'revoke', 'x'], { environment })).code, 2);
  t.equal((await runPlaten(['key', 'create', 'k', '--scopes', 'all'], { environment })).code, 2);
});
