import t from 'tap';
import { createFontInspector } from '../../src/scheduling/font-inspector.ts';

const noFont = Buffer.from('no font');

t.test('one organization that sends many fonts leaves slots and turns to the others', async (t) => {
  const inspector = createFontInspector();
  t.teardown(() => inspector.close());
  const ended: string[] = [];
  const inspect = async (organizationUid: string, name: string): Promise<void> => {
    const verdict = await inspector.inspect(organizationUid, noFont);
    t.match(verdict, { ok: false, problem: /^is no / });
    ended.push(name);
  };
  // The first is inspected at once, two more wait.
  const flood: Promise<unknown>[] = ['a1', 'a2', 'a3'].map((name) => inspect('org_a', name));
  for (let more = 0; more < 20; more += 1) {
    flood.push(
      t.rejects(inspector.inspect('org_a', noFont), {
        code: 'OVERLOADED',
        retryAfterSeconds: 5,
      }),
    );
  }
  await Promise.all([...flood, inspect('org_b', 'b1'), inspect('org_c', 'c1')]);
  t.same(ended, ['a1', 'a2', 'b1', 'c1', 'a3'], 'in turns');
});

t.test('an inspector that closes answers all who wait', async (t) => {
  const inspector = createFontInspector();
  const verdicts = ['org_a', 'org_b'].map((uid) => inspector.inspect(uid, noFont));
  const families = inspector.bundledFamilies();
  families.catch(() => undefined);
  await inspector.close();
  for (const verdict of await Promise.all(verdicts)) t.match(verdict, { ok: false });
  await t.rejects(families);
});
