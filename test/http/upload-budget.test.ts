import t from 'tap';
import { emptyReply } from '../../src/http/reply.ts';
import { uploadsBytesMax } from '../../src/http/body/upload-budget.ts';
import { createServer } from '../../src/http/server.ts';
import { createLog } from '../../src/foundation/log.ts';

t.test(
  'uploads hold no more than their budget, those of one organization half of it; the next one is 503 with Retry-After',
  async (t) => {
    const held = Promise.withResolvers<void>();
    const megabytes = 16 * 1024 * 1024;
    const server = createServer({
      host: '127.0.0.1',
      port: 0,
      timeoutMs: 5000,
      routes: [
        {
          name: 'hold',
          path: '/hold',
          errorShape: 'organization',
          bodyBytesMax: megabytes,
          post: async (exchange) => {
            exchange.organizationUid = exchange.apiKey;
            await exchange.readBody();
            await held.promise;
            return emptyReply(204);
          },
        },
      ],
      onRequest: () => undefined,
      log: createLog(() => undefined),
    });
    const base = `http://127.0.0.1:${await server.listen()}`;
    t.teardown(() => server.close());
    const body = Buffer.alloc(megabytes);
    const post = (key: string): Promise<Response> =>
      fetch(`${base}/hold`, { method: 'POST', body, headers: { 'X-API-Key': key } });
    const half = uploadsBytesMax / megabytes / 2;
    const answers: Promise<Response>[] = [];
    for (const key of ['a', 'b']) {
      const those = Array.from({ length: half + 1 }, () => post(key));
      answers.push(...those);
      // oxlint-disable-next-line no-await-in-loop -- the second one comes when the first has its share
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
  },
);
