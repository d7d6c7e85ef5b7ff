/** What readers and programs get for a link that cannot be rendered: an image of what is good in it, and the error. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { readImageHeader } from '../../src/images/sniff/sniff-image.ts';
import { needs, runNginx } from '../deploy/start-proxies.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { childrenOf } from '../helpers/child-processes.ts';
import { checkSame, decodeImage, plainImage } from './image-bytes.ts';
import {
  fillDataDirectory,
  imageLayer,
  testOrganization,
  textLayer,
  textVariable,
} from './published.ts';
import { checkError, request } from './request.ts';
import type { Answer } from './request.ts';
import { eventually, freePort, startService } from './service.ts';

interface Requester {
  name: string;
  isReader: boolean;
  headers: Record<string, string>;
}

/** Of each header that tells them apart, a reader and a program. */
const reader: Requester = {
  name: 'an image element of a browser',
  isReader: true,
  headers: { Accept: 'image/avif,image/webp,image/*,*/*;q=0.8', 'Sec-Fetch-Dest': 'image' },
};
const program: Requester = { name: 'curl', isReader: false, headers: { Accept: '*/*' } };
const whatsApp = { Accept: '*/*', 'User-Agent': 'WhatsApp/2.23.20.0 A' };
const fetchHeaders = { Accept: '*/*', 'Sec-Fetch-Dest': 'empty', 'User-Agent': 'node' };
const requesters = [
  reader,
  program,
  { name: 'WhatsApp', isReader: true, headers: whatsApp },
  { name: 'fetch in a browser', isReader: false, headers: fetchHeaders },
];

/** Checks that a requester got its own answer to a link that fails with this error. */
async function checkAudience(
  t: Test,
  { name, isReader }: Requester,
  answer: Answer,
  { status, code }: { status: number; code: string },
  link: string,
): Promise<void> {
  const message = `${name}: ${link.slice(0, 60)}`;
  const { headers } = answer;
  if (!isReader) {
    checkError(t, answer, status, code);
    t.equal(headers['x-render-error'], undefined, message);
    return;
  }
  t.equal(answer.status, 200, message);
  t.equal(headers['x-render-error'], code, message);
  t.equal(headers['cache-control'], 'private, max-age=15', message);
  t.equal(headers['x-robots-tag'], 'noindex', message);
  t.equal(headers.etag, undefined, message);
  const format = readImageHeader(answer.body)?.format;
  t.equal(headers['content-type'], `image/${format}`, message);
  t.ok((await decodeImage(answer.body)).width > 1, message);
}

const green = await plainImage('#00ff00');
const origin = await startOrigin({});
t.teardown(() => origin.close());
const missing = origin.url('/missing.png');

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveAsset }) => {
  const document = (photo: string) => ({
    variables: [
      textVariable('name', 'friend', { maxLength: 20 }),
      { name: 'photo', type: 'image' as const, value: photo },
    ],
    layers: [textLayer('{{name}}', { width: 200 }), imageLayer('{{photo}}')],
  });
  const [good, damaged] = [document(saveAsset(green)), document(missing)];
  publish('silent', good);
  publish('plain', { ...good, onError: 'json' });
  publish('covered', { ...good, onError: 'image' });
  publish('covered-key', { ...good, onError: 'image', linkAuth: 'key' });
  publish('damaged', { ...damaged, onImageError: 'default' });
  publish('no-image', { ...good, layers: [textLayer('{{name}}', { width: 200 })] });
});
const service = await startService(t, {
  dataDirectory,
  origins: [origin],
  environment: { PLATEN_RENDER_QUEUE_MAX: '2', PLATEN_RENDER_TIMEOUT_MS: '8000' },
});

function ask({ headers }: Requester, link: string): Promise<Answer> {
  return service.render(link, { headers, agent: false });
}

/** Bad links, each with the good one that shows what can be had of it. */
const troubles = [
  [`name=Zoe&photo=${missing}`, 'name=Zoe'],
  [`name=${'x'.repeat(21)}`, `name=${'x'.repeat(20)}`],
  ['name=Zoe&_scale=9', 'name=Zoe'],
  ['name=Zoe&_version=x', 'name=Zoe'],
] as const;

t.test('a reader gets what is good in a bad link, a program the error, in any order', async (t) => {
  for (const [trouble, good] of troubles) {
    const link = `silent.jpg?${trouble}`;
    for (const requester of [...requesters, ...requesters.toReversed()]) {
      const answer = await ask(requester, link);
      const error = { status: 400, code: 'BAD_REQUEST' };
      await checkAudience(t, requester, answer, error, link);
    }
    const expected = await service.render(`plain.jpg?${good}`);
    await checkSame(t, await ask(reader, link), expected, trouble);
  }
});

t.test('an image that succeeds is the same for everybody, whatever is accepted', async (t) => {
  const plain = await service.render('silent?name=Ada');
  t.ok(plain.headers.etag);
  const accepted = ['image/avif,image/webp,*/*;q=0.8', 'text/html', 'application/json', ''].map(
    (Accept) => ({ name: `Accept: ${Accept}`, isReader: false, headers: { Accept } }),
  );
  for (const requester of [...requesters, ...accepted]) {
    const { status, headers, body } = await ask(requester, 'silent?name=Ada');
    t.equal(status, 200, requester.name);
    t.equal(headers['content-type'], 'image/png', requester.name);
    t.equal(headers.etag, plain.headers.etag, requester.name);
    t.ok(body.equals(plain.body), requester.name);
    t.match(headers['cache-control'], /^public, max-age=300/);
    t.equal(headers['vary'], undefined);
  }
});

t.test('a default whose image fails is left out', async (t) => {
  const alone = await service.render('damaged?name=Zoe');
  t.equal(alone.headers['cache-control'], 'public, max-age=15');
  await checkSame(t, alone, await service.render('no-image?name=Zoe'), 'the rest is drawn');
});

t.test('an image stands for an error of a closed template to those with its key', async (t) => {
  const headers = { 'X-API-Key': testOrganization.key };
  const withKey = await service.render('covered-key?_scale=9', { headers });
  t.match(withKey, { status: 200, headers: { 'x-render-error': 'BAD_REQUEST' } });
});

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

/** Starts nginx in front of the service, with this cache for links; resolves to its port. `X-Cache` says what it kept. */
async function startCache(t: Test, cache: string): Promise<number> {
  const port = await freePort();
  const folder = join(dataDirectory, `../nginx-${port}`);
  mkdirSync(folder);
  const http = `
    proxy_cache_path ${folder}/cache keys_zone=platen:1m use_temp_path=off;
    upstream platen { server 127.0.0.1:${service.port}; }
    server {
      listen 127.0.0.1:${port};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      location /v1/render/ {
        ${cache}
        add_header X-Cache $upstream_cache_status always;
      }
    }`;
  await runNginx(t, port, folder, http);
  return port;
}

t.test('nginx gives neither readers nor programs the other’s', needs('nginx', '-v'), async (t) => {
  const checkOrders = async (t: Test, port: number): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (const order of [requesters, requesters.toReversed()]) {
      const link = `silent?photo=${missing}?${port}-${answers.length}`;
      for (const requester of order.flatMap((each) => [each, each])) {
        const { headers } = requester;
        const answer = await request(port, `/v1/render/${link}`, { headers });
        await checkAudience(t, requester, answer, { status: 400, code: 'BAD_REQUEST' }, link);
        answers.push(answer);
      }
    }
    return answers;
  };
  t.ok(recommended, 'the page has the location');
  const port = await startCache(t, recommended ?? '');
  const failed = await checkOrders(t, port);
  t.same([...new Set(failed.map(({ headers }) => headers['x-cache']))], ['MISS']);
  const good = '/v1/render/silent?name=Kept';
  await request(port, good, { headers: program.headers });
  for (const { headers } of requesters) {
    const again = await request(port, good, { headers });
    t.equal(again.headers['x-cache'], 'HIT', 'an image is kept for everybody');
  }
  const kept = await checkOrders(t, await startCache(t, stubborn));
  t.ok(
    kept.some(({ headers }) => headers['x-cache'] === 'HIT'),
    'a cache that keeps failures keeps them apart',
  );
});

t.test('under overload readers get the kept default and programs 503, until 504', async (t) => {
  const errorsOf = (code: string): Promise<number> =>
    service.metric(`platen_errors_total{route="render",code="${code}"}`);
  const before = [await errorsOf('OVERLOADED'), await errorsOf('TIMEOUT')];
  const byDefault = await service.render('silent.png');
  const [renderer = 0] = childrenOf(service.process.pid, 'baseRendersBytesMax');
  process.kill(renderer, 'SIGSTOP');
  const resume = (): unknown => process.kill(renderer, 'SIGCONT');
  t.teardown(resume);
  // One render that is stopped, and two that wait behind it: there is no slot for more.
  const admit = async (requester: Requester, index: number) => {
    const link = `silent.png?name=first${index}`;
    return { requester, link, answer: await ask(requester, link) };
  };
  const admitted = [admit(reader, 0), admit(program, 1), admit(program, 2)] as const;
  const queueIsFull = async (): Promise<boolean> =>
    (await service.metric('platen_render_queue_length')) === 2;
  t.ok(await eventually(queueIsFull), 'the queue is full');
  const overloaded = { status: 503, code: 'OVERLOADED' };
  for (const [number, requester] of requesters.entries()) {
    const link = `silent.png?name=Reader+${number}`;
    const answer = await ask(requester, link);
    await checkAudience(t, requester, answer, overloaded, link);
    if (requester.isReader) t.ok(answer.body.equals(byDefault.body), 'its default');
    else t.match(answer.headers['retry-after'], /^[1-9]\d*$/);
  }
  const card = await ask(reader, 'covered.webp?name=Zoe');
  await checkAudience(t, reader, card, overloaded, 'a card');
  t.equal(card.headers['content-type'], 'image/webp', 'where no default is kept');
  const [stopped, ...waiting] = await Promise.all(admitted);
  const late = { status: 504, code: 'TIMEOUT' };
  await checkAudience(t, reader, stopped.answer, late, stopped.link);
  // One whose turn comes is refused if too little time is left to draw it.
  const refused = waiting.filter(({ answer }) => answer.status === 503);
  for (const each of waiting) {
    const expected = refused.includes(each) ? overloaded : late;
    await checkAudience(t, each.requester, each.answer, expected, each.link);
  }
  const after = [await errorsOf('OVERLOADED'), await errorsOf('TIMEOUT')];
  const rises = after.map((count, index) => count - (before[index] ?? 0));
  const counts = [requesters.length + 1 + refused.length, 3 - refused.length];
  t.same(rises, counts, 'the alarm counts those with an image as well');
  resume();
  // What was let in is drawn all the same, and a machine that is busy refuses until then.
  t.ok(await eventually(async () => (await ask(program, 'silent?name=Reader+0')).status === 200));
});
