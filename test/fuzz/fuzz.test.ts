import t from 'tap';
import { demoKey, startService } from '../e2e/service.ts';
import { head, sendRaw } from '../fixtures/raw-http.ts';
import { fuzzService, judge } from './campaign.ts';
import { isCutInVersion, silenceReason } from './classify.ts';

const service = await startService(t);

t.test('no path leads to a file, and no value into a header', async (t) => {
  const up = ['../', '..%2f', '%2e%2e/', '..\\', '..%5c', '....//', '%252e%252e%252f', '..%c0%af'];
  for (const step of up) {
    for (const path of ['/', '/docs/', '/v1/render/', '/v1/templates/', '/v1/assets/', '//']) {
      for (const file of ['package.json', 'etc/passwd']) {
        const target = `${path}${step.repeat(6)}${file}`;
        const bytes = head('GET', target, `X-API-Key: ${demoKey}`, 'Connection: close');
        const { text } = await sendRaw(service.port, bytes, (got) => got.endsWith('}'));
        t.match(text, /^HTTP\/1\.1 40[04] /, target);
      }
    }
  }
  const feeds = ['%0d%0aX-Evil:%201', '%0aX-Evil:1', '%E5%98%8A%E5%98%8DX-Evil:1', '%00', '%7f'];
  for (const feed of feeds) {
    for (const target of [
      `hello${feed}`,
      `hello.png${feed}`,
      `hello?name=${feed}&${feed}=1`,
      `hello?_format=${feed}`,
      `hello?_version=1${feed}`,
      `product-card?product=${feed}`,
      `product-card?product=https://127.0.0.1/${feed}`,
    ]) {
      const answer = await service.render(target);
      t.equal(answer.headers['x-evil'], undefined, target);
      t.ok(answer.status < 500, target);
      t.notMatch(JSON.stringify(answer.headers), /evil/i, target);
    }
  }
});

t.test('a key counts in its header only', async (t) => {
  const path = '/v1/validate-organization';
  for (const query of ['api_key', 'apiKey', 'key', 'X-API-Key', 'x-api-key', 'access_token']) {
    t.equal((await service.get(`${path}?${query}=${demoKey}`)).status, 401, query);
  }
  for (const header of ['Authorization', 'Cookie', 'X-Api-Token']) {
    const headers = { [header]: `X-API-Key=${demoKey}` };
    t.equal((await service.get(path, { headers })).status, 401, header);
  }
  t.equal((await service.get(path, { headers: { 'X-API-Key': demoKey } })).status, 200);
  t.notMatch(service.process.stdout + service.process.stderr, demoKey);
});

t.test('silence is excused for what is broken, and for nothing else', async (t) => {
  const whole = head('GET', '/healthz');
  const post = head('POST', '/a', 'Content-Length: 5');
  const cutLine = ['GET /a HT', 'TP/1.1\r\nHost: a\r\n\r\n'];
  const cases: [parts: string[], reason: string | undefined][] = [
    [[whole], undefined],
    [[`${post}hello`], undefined],
    [[`${head('POST', '/a', 'Transfer-Encoding: chunked')}0\r\n\r\n`], undefined],
    [[head('GET', '/a', 'Host: a', 'X-Odd: \u00ff')], undefined],
    [[whole.slice(0, 9), whole.slice(9)], undefined],
    [[`${post}hell`], 'a body without an end'],
    [[whole + whole], 'bytes behind a request'],
    [[whole.slice(0, -2)], 'a head without an end'],
    [[head('GET', '/a', 'no colon')], 'a header line that is none'],
    [[head('GET', '/a', 'X-Nul: \u0000')], 'a header line that is none'],
    [['GET /a b HTTP/1.1\r\nHost: a\r\n\r\n'], 'a request line that is none'],
    [['GET /a HTTP/1.1\r\nHo: a\r\n\r\n'], 'no Host'],
    [cutLine, isCutInVersion(cutLine) ? 'a request line in pieces' : undefined],
    [[head('GET', '/a', 'Content-Length: 1', 'Content-Length: 2')], 'a body that is framed twice'],
  ];
  for (const [parts, reason] of cases) t.equal(silenceReason(parts), reason, parts.join(''));
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab';
  const reported = (text: string, answers: number): string | undefined =>
    judge({ text, failure: undefined }, { parts: [whole], answers });
  t.equal(reported(answer + answer, 2), undefined);
  t.match(reported(answer, 2), /^1 of 2 answers/);
  t.match(reported('', 1), /^0 of 1 answers/);
  t.match(reported('HTTP/1.1 100 Continue\r\n\r\n', 1), /^0 of 1 answers/);
  t.match(reported('HTTP/1.1 505 No\r\n\r\n', 1), /^505/);
  t.equal(reported('', 0), undefined);
});

t.test('fuzzed requests are answered, and none with a fault of the service', async (t) => {
  const report = await fuzzService({ port: service.port, key: demoKey }, 1600);
  t.equal(service.process.hasEnded, false);
  for (const status of [200, 400, 404, 405]) {
    t.ok((report.statuses.get(status) ?? 0) > 10, `some are ${status}`);
  }
  t.notMatch(service.process.stdout + service.process.stderr, /"level":"error"/);
  t.equal((await service.render('hello?name=after')).status, 200);
});
