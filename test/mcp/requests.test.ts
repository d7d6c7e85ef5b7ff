/** Which requests `POST /mcp` refuses. */
import { request as httpRequest } from 'node:http';
import t from 'tap';
import { demoKey, shareService } from '../e2e/service.ts';

t.test('requests without a key, too large, or of no protocol are refused', async (t) => {
  const { base } = await shareService();
  const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${base}/mcp`, {
      method: 'POST',
      body,
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        ...headers,
      },
    });
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  t.equal((await post(ping)).status, 401);
  t.equal((await post(ping, { 'X-API-Key': 'wrong' })).status, 401);
  const key = { 'X-API-Key': demoKey };
  t.same(await (await post(ping, key)).json(), { jsonrpc: '2.0', id: 1, result: {} });
  t.equal((await post('{', key)).status, 400);
  const batch = await post(` [${ping}]`, key);
  t.equal(batch.status, 400);
  t.match(await batch.json(), { error: /one JSON-RPC message/ });
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`k${index}`, 0]));
  const callOf = (given: object): string =>
    JSON.stringify({ method: 'tools/call', params: { name: 'x', arguments: given } });
  for (const [body, error] of [
    [JSON.stringify({ method: 'initialize', params: { icons: [many] } }), /500 values/],
    [callOf(many), /50 arguments/],
  ] as const) {
    const wide = await post(body, key);
    t.equal(wide.status, 400);
    t.match(await wide.json(), { error });
  }
  // The values of a template are counted where they are read.
  t.notMatch(await (await post(callOf({ values: many }), key)).text(), /values beside/);
  t.equal((await post(`"${'x'.repeat(1024 * 1024)}"`, key)).status, 413);
  t.equal((await post(ping, { ...key, Accept: 'text/html' })).status, 406);
  t.equal((await fetch(`${base}/mcp`, { headers: key })).status, 405, 'there is no stream');
});

t.test(
  'an organization has four requests open at a time, and the next one comes again',
  async (t) => {
    const { base } = await shareService();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const headers = {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'X-API-Key': demoKey,
    };
    const post = (): Promise<Response> => fetch(`${base}/mcp`, { method: 'POST', body, headers });
    const unfinished = Array.from({ length: 4 }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      const request = httpRequest(`${base}/mcp`, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': body.length },
      });
      request.on('response', (response) => resolve(response.resume().statusCode));
      request.on('error', reject);
      request.write(body.slice(0, 10));
      return { request, answered: promise };
    });
    let next = await post();
    // oxlint-disable-next-line no-await-in-loop -- until all four are there
    while (next.status === 200) next = await post();
    t.equal(next.status, 503);
    t.equal(next.headers.get('Retry-After'), '5');
    for (const { request } of unfinished) request.end(body.slice(10));
    t.same(await Promise.all(unfinished.map(({ answered }) => answered)), [200, 200, 200, 200]);
    t.equal((await post()).status, 200);
  },
);
