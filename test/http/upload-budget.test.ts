import t from 'tap';
import { emptyReply } from '../../src/http/reply.ts';
import type { Handler } from '../../src/http/server.ts';
import { uploadsBytesMax } from '../../src/http/body/upload-budget.ts';
import { postRoute, startServer } from '../fixtures/api-server.ts';

t.test('uploads fill their budget, an organization half of it; the next has a 503', async (t) => {
  const held = Promise.withResolvers<void>();
  const megabytes = 16 * 1024 * 1024;
  const hold: Handler = async (exchange) => {
    exchange.organizationUid = exchange.apiKey;
    await exchange.readBody();
    await held.promise;
    return emptyReply(204);
  };
  const { base, server } = await startServer(t, [postRoute('/hold', hold, megabytes)]);
  const body = Buffer.alloc(megabytes);
  const post = (key: string): Promise<Response> =>
    fetch(`${base}/hold`, { method: 'POST', body, headers: { 'X-API-Key': key } });
  const half = uploadsBytesMax / megabytes / 2;
  const answers: Promise<Response>[] = [];
  for (const key of ['a', 'b']) {
    const those = Array.from({ length: half + 1 }, () => post(key));
    answers.push(...those);
    // The second one comes when the first has its share.
    const first = await Promise.race(those);
    t.equal(first.status, 503, key);
    t.equal(first.headers.get('retry-after'), '2');
  }
  t.equal((await post('c')).status, 503, 'all have the budget');
  held.resolve();
  const statuses = await Promise.all(answers.map(async (answer) => (await answer).status));
  t.same(
    statuses.toSorted((a, b) => a - b),
    [204, 204, 204, 204, 503, 503],
    'what one organization sends leaves half to the others',
  );
  await server.idle(5000);
  t.equal((await post('a')).status, 204, 'the budget is given back');
});
