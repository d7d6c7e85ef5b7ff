/** One message to one receiver: its signature, its time and where it may go. */
import { Webhook as Verifier } from 'standardwebhooks';
import t from 'tap';
import type { Test } from 'tap';
import { signedHeaders } from '../../../src/mailings/webhooks/message.ts';
import { createMessagePoster } from '../../../src/mailings/webhooks/post-message.ts';
import { freePort } from '../../e2e/service.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';

t.test('a signature equals that of the library of Standard Webhooks', async (t) => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const nowMs = 1_614_265_330_000;
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', payload: '{"test": 2432232314}' };
  const headers = signedHeaders(message, secret, nowMs);
  t.same(headers, {
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    // The vector of the specification's libraries.
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
  const theirs = new Verifier(secret).sign(message.id, new Date(nowMs), message.payload);
  t.equal(headers['webhook-signature'], theirs);
});

/** A poster to these addresses and ports, and what a message to a URL comes to. */
function startPoster(t: Test, allowedAddresses: string[], allowedPorts: number[], ms?: number) {
  const settings = { allowedAddresses, allowedPorts, dnsServers: [] };
  const poster = createMessagePoster(settings, ms);
  t.teardown(() => poster.close());
  const send = (url: string) => {
    const message = { id: 'msg_1', url, secret: 'whsec_', payload: '{}' };
    return poster.post(message, 0, new AbortController().signal);
  };
  return { checkUrl: (url: string) => poster.checkUrl(url), send };
}

t.test('a receiver that answers late, or never ends its answer, is cut off', async (t) => {
  const receiver = await startReceiver(t);
  const { send } = startPoster(t, ['127.0.0.1'], [receiver.port], 50);
  const post = () => send(receiver.url);
  receiver.answer = () => undefined;
  t.same(await post(), { error: 'did not answer within 0.05 s' });
  receiver.answer = (response) => void response.writeHead(200).write('a');
  t.same(await post(), { error: 'did not answer within 0.05 s' });
});

t.test('a receiver that sends interim answers or a head without end is left', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = (response) =>
    void response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(9));
  const { send } = startPoster(t, ['127.0.0.1'], [receiver.port]);
  t.match(await send(receiver.url), { error: /sends more than 8 interim answers/ });
  receiver.answer = (response) =>
    void response.socket?.write(`HTTP/1.1 200 ${'x'.repeat(300_000)}`);
  t.match(await send(receiver.url), { error: /sends more than 262,144 bytes/ });
});

t.test('a receiver that is down is a failed attempt', async (t) => {
  const port = await freePort();
  const { send } = startPoster(t, ['127.0.0.1'], [port]);
  const outcome = await send(`http://127.0.0.1:${port}/`);
  t.match(outcome, { error: 'could not be reached: its server refuses connections' });
});

t.test('addresses that are not public are refused, before and behind their names', async (t) => {
  const { checkUrl, send } = startPoster(t, ['10.1.0.0/16'], [80, 443]);
  for (const url of [
    'https://127.0.0.1/',
    'https://0x7f000001/',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'http://10.2.0.1/',
  ]) {
    t.throws(() => checkUrl(url), { message: /its address is not public/ }, url);
  }
  for (const url of ['http://example.com/', 'http://93.184.215.14/']) {
    t.throws(() => checkUrl(url), { message: 'must begin with https://' }, url);
  }
  t.throws(() => checkUrl('https://example.com:22/'), { message: /uses port 22/ });
  t.throws(() => checkUrl('https://a:b@example.com/'), { message: /user name/ });
  for (const url of ['https://example.com/hook', 'http://10.1.2.3/hook']) checkUrl(url);
  t.same(
    await send('https://localhost/'),
    { error: 'cannot be used: its address is not public' },
    'by name',
  );
});
