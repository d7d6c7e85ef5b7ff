/** Readers and programs behind one nginx that keeps images: neither ever gets the other's answer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import { checkAudience, requesters } from '../helpers/audience.ts';
import type { Requester } from '../helpers/audience.ts';
import { skipsNginx, startNginx } from '../helpers/nginx.ts';
import { plainImage, sends } from './image-bytes.ts';
import { request } from './request.ts';
import type { Answer } from './request.ts';
import { startService } from './service.ts';

/** What the operations page recommends, as it stands there. */
const recommended = /location \/v1\/render\/ \{\n([^}]+)\}/.exec(
  readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8'),
)?.[1];

/** A cache that keeps every answer for a minute, errors too, whatever `Cache-Control` says. */
const stubborn = `
  proxy_pass http://platen;
  proxy_cache platen;
  proxy_cache_key $request_uri;
  proxy_ignore_headers Cache-Control Expires;
  proxy_cache_valid any 1m;
`;

t.test('readers and programs behind nginx', { skip: skipsNginx }, async (t) => {
  const origin = await startOrigin({ '/photo.png': sends(await plainImage('#00ff00')) });
  t.teardown(() => origin.close());
  const service = await startService(t, { origins: [origin] });
  let links = 0;

  /** A link that fails, and that nobody has asked for. */
  const badLink = (): string => {
    links += 1;
    const photo = encodeURIComponent(origin.url(`/nothing-${links}.png`));
    return `product-card.png?title=Mug+${links}&product=${photo}`;
  };

  const checkOrder = async (
    t: Test,
    port: number,
    order: readonly Requester[],
  ): Promise<Answer[]> => {
    const link = badLink();
    const answers: Answer[] = [];
    for (const requester of order) {
      const { headers } = requester;
      const answer = await request(port, `/v1/render/${link}`, { headers });
      await checkAudience(t, requester, answer, { status: 400, code: 'BAD_REQUEST' }, link);
      answers.push(answer);
    }
    return answers;
  };

  t.test('a cache as the operations page has it keeps images and no failure', async (t) => {
    t.ok(recommended, 'the page has the location');
    const port = await startNginx(t, service.port, recommended ?? '');
    for (const order of [requesters, requesters.toReversed()]) {
      const answers = await checkOrder(t, port, [...order, ...order]);
      t.same([...new Set(answers.map(({ headers }) => headers['x-cache']))], ['MISS']);
    }
    const good = `/v1/render/product-card.png?product=${encodeURIComponent(origin.url('/photo.png'))}`;
    const shared = await Promise.all(
      requesters.map(({ headers }) => request(port, good, { headers })),
    );
    for (const { status } of shared) t.equal(status, 200);
    for (const { headers } of requesters) {
      const again = await request(port, good, { headers });
      t.equal(again.headers['x-cache'], 'HIT', 'an image is kept for everybody');
    }
  });

  t.test('a cache that keeps failures keeps them apart', async (t) => {
    const port = await startNginx(t, service.port, stubborn);
    for (const order of [requesters, requesters.toReversed()]) {
      const answers = await checkOrder(
        t,
        port,
        order.flatMap((requester) => [requester, requester]),
      );
      const hits = answers.filter(({ headers }) => headers['x-cache'] === 'HIT');
      t.ok(hits.length > 0, 'it does keep them');
    }
  });
});
