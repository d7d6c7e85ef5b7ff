/** Tests of the service that run once more, with PostgreSQL behind each service that they start. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { onlyFull } from '../helpers/extent.ts';
import { skipsPostgres, startPostgres } from '../helpers/postgres.ts';

const timeoutMs = 800_000;
t.setTimeout(timeoutMs);

/** Those of the stores themselves: every write goes through PostgreSQL, and at its end each test compares a second node. */
const ofStores = [
  'test/api/brand.test.ts',
  'test/api/comments.test.ts',
  'test/store/asset-collector.test.ts',
  'test/store/template-access.test.ts',
];

/** Those of what nodes share and no other test of this folder asks for. */
const files = [
  ...ofStores,
  'test/adapters/adapters.test.ts',
  'test/mailings/campaigns/requests.test.ts',
  'test/mailings/campaigns/results.test.ts',
  'test/e2e/client.test.ts',
  'test/e2e/mixed-versions.test.ts',
  'test/e2e/tables-and-webhooks.test.ts',
  'test/fault/service-kills.test.ts',
  'test/law/front.test.ts',
];

const skip = skipsPostgres || onlyFull;

t.test('the service behaves alike over PostgreSQL', { skip, timeout: timeoutMs }, async (t) => {
  const postgres = await startPostgres(t);
  const { TEST_FULL: _full, ...environment } = process.env;
  const child = spawn(process.execPath, ['test/run.ts', ...files], {
    env: { ...environment, TEST_DATABASE: String(postgres.port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const groups = output.split(/^(?=(?:not )?ok (?:test\/|the ))/m);
  const failures = groups.filter((each) => each.startsWith('not ok '));
  t.strictSame(failures, [], 'no file fails');
  t.match(output.trimEnd().split('\n').at(-1), /\b0 failed, 0 skipped\b/);
  t.equal(code, 0);
});
