import { existsSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { get as httpsGet } from 'node:https';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { startDns } from '../fixtures/images-dns.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { makeCertificate } from '../fixtures/images-tls.ts';
import { checkDifferent, checkSame, image, plainImage, sends } from './image-bytes.ts';
import { checkError } from './request.ts';
import { demoKey, eventually, freePort, startProgram, startService } from './service.ts';

/** The exit code of a start that is stopped by its configuration (contract section 3). */
const configurationExit = 78;

const keyPattern = /pk_live_[0-9A-Za-z]{32}/g;
const linkPattern = /https?:\/\/\S+\/v1\/render\/\S+/g;

/** The samples that the contract names: variables, and what is said about the image. */
const samples = {
  'welcome-banner': {
    format: 'jpeg',
    size: [1200, 630],
    variables: { name: 'text', offer: 'text', photo: 'image' },
  },
  'product-card': { format: 'png', variables: { title: 'text', price: 'text', product: 'image' } },
  'event-ticket': { format: 'png', variables: { name: 'text', seat: 'text', code: 'text' } },
  quote: { variables: { quote: 'text', author: 'text' } },
  hello: { format: 'png', size: [400, 200], variables: { name: 'text' } },
} satisfies Record<
  string,
  { format?: string; size?: number[]; variables: Record<string, 'text' | 'image'> }
>;

const origin = await startOrigin({ '/red.png': sends(await plainImage('#ff0000', 32, 32)) });
const dns = await startDns((name, type) => {
  if (name === 'inward.example') return type === 'A' ? ['169.254.169.254'] : [];
  return name === 'images.example' && type === 'A' ? ['127.0.0.1'] : undefined;
});
t.teardown(async () => Promise.all([origin.close(), dns.close()]));

const tls = makeCertificate(['localhost']);
const directory = t.testdir({ 'key.pem': tls.key, 'cert.pem': tls.cert });
const dataDirectory = join(directory, 'deep', 'data');
const first = await startService(t, {
  dataDirectory,
  hasOrganizationFonts: true,
  origins: [origin],
  environment: {
    PLATEN_DEMO_API_KEY: '',
    PLATEN_IMAGES_DNS_SERVERS: dns.server,
    // Of an earlier version.
    PLATEN_IMAGES_STALE_S: '30',
  },
});
const [key = '', ...otherKeys] = first.process.stdout.match(keyPattern) ?? [];

t.test('an empty data folder becomes a service with a key, a link and samples', async (t) => {
  t.not(key, '', 'a key is printed');
  t.same(otherKeys, [], 'once');
  const headers = { 'X-API-Key': key };
  const validation = await first.get('/v1/validate-organization', { headers });
  t.match(validation.json(), { valid: true, organization: { name: 'demo' } });
  const links = first.process.stdout.match(linkPattern) ?? [];
  t.equal(links.length, 1, 'one link to click');
  const link = new URL(links[0] ?? '');
  t.equal(link.port, String(first.port));
  await image(t, await first.get(`${link.pathname}${link.search}`));
});

t.test('a setting that was removed stops no start and leaves a warning', async (t) => {
  const warnings = first.process.stderr
    .split('\n')
    .filter((line) => line.includes('"event":"setting removed"'));
  t.equal(warnings.length, 1);
  t.match(warnings[0], /PLATEN_IMAGES_STALE_S has no effect/);
});

t.test('the organization demo owns the samples, and one more', async (t) => {
  const answer = await first.get('/v1/templates', { headers: { 'X-API-Key': key } });
  const { templates, total } = answer.json() as { templates: { uid: string }[]; total: number };
  const uids = templates.map(({ uid }) => uid);
  for (const uid of Object.keys(samples)) t.ok(uids.includes(uid), uid);
  t.ok(total > Object.keys(samples).length);
});

for (const [uid, sample] of Object.entries(samples)) {
  t.test(`${uid} draws its variables`, async (t) => {
    const details = await first.get(`/v1/templates/${uid}`, {
      headers: { 'X-API-Key': key },
    });
    const { published_variables, width, height } = details.json() as {
      published_variables: { name: string; type: string }[];
      width: number;
      height: number;
    };
    t.same(
      Object.fromEntries(published_variables.map(({ name, type }) => [name, type])),
      sample.variables,
    );
    const byDefault = await first.render(uid);
    const metadata = await sharp(byDefault.body).metadata();
    if ('format' in sample) t.equal(metadata.format, sample.format);
    if ('size' in sample) t.same([width, height], sample.size);
    t.same([metadata.width, metadata.height], [width, height]);
    t.equal(byDefault.headers['x-render-warnings'], undefined, 'nothing is wrong with it');
    for (const [name, type] of Object.entries(sample.variables)) {
      const value = type === 'image' ? origin.url('/red.png') : 'Jane';
      const answer = await first.render(`${uid}?${name}=${value}`);
      await checkDifferent(t, answer, byDefault, `${name} is drawn`);
      t.equal(answer.headers['x-render-warnings'], undefined);
    }
  });
}

t.test('the photo of a link fills its layer', async (t) => {
  const drawn = await image(
    t,
    await first.render(`product-card?product=${origin.url('/red.png')}`),
  );
  let redPixels = 0;
  for (let index = 0; index < drawn.data.length; index += 4) {
    const [r, g, b] = drawn.data.subarray(index, index + 3);
    if (r === 255 && g === 0 && b === 0) redPixels += 1;
  }
  t.ok(redPixels > 0.2 * drawn.width * drawn.height, `${redPixels} pixels are the origin’s red`);
});

t.test('a long quote is drawn smaller, and whole', async (t) => {
  const long = encodeURIComponent('A long quote that goes on and on. '.repeat(30).trim());
  const answer = await first.render(`quote?quote=${long}`);
  t.equal(answer.status, 200);
  t.notMatch(answer.headers['x-render-warnings'] ?? '', /TRUNCATED|OVERFLOWS/);
});

t.test('a process is alive and ready in JSON', async (t) => {
  for (const path of ['/healthz', '/readyz']) {
    const answer = await first.get(path);
    t.equal(answer.status, 200, path);
    t.type(answer.json(), 'object');
    const headed = await first.get(path, { method: 'HEAD', agent: false });
    t.equal(headed.status, 200);
  }
});

t.test('the first page has a live image, its link and where to go next', async (t) => {
  const page = await first.get('/');
  t.equal(page.status, 200);
  t.match(page.headers['content-type'], /^text\/html; *charset=utf-8$/i);
  const [, source = ''] = /<img[^>]*\bsrc="([^"]+)"/.exec(page.text) ?? [];
  const url = new URL(source.replaceAll('&amp;', '&'), `${first.base}/`);
  t.equal(url.origin, first.base, 'the image is this service’s own');
  t.match(url.pathname, /^\/v1\/render\//);
  await image(t, await first.get(`${url.pathname}${url.search}`));
  const links = [...page.text.matchAll(/<a[^>]*\bhref="([^"]+)"/g)].map(([, href]) => href ?? '');
  const link = links.find((href) => href.includes('v1/render/')) ?? '';
  t.ok(link, 'there is a link to an image');
  const target = new URL(link.replaceAll('&amp;', '&'), `${first.base}/`);
  await image(t, await first.get(`${target.pathname}${target.search}`));
});

t.test('metrics are on their own port, and nothing else is', async (t) => {
  t.equal((await first.get('/metrics')).status, 404);
  const metrics = await fetch(`http://127.0.0.1:${first.metricsPort}/metrics`);
  t.equal(metrics.status, 200);
  t.match(await metrics.text(), /^# TYPE \w+ counter$/m);
  const other = await fetch(`http://127.0.0.1:${first.metricsPort}/v1/render/hello`);
  t.equal(other.status, 404);
});

t.test('names of image hosts are looked up where the environment says', async (t) => {
  const byName = `product-card?product=http://images.example:${origin.port}/red.png`;
  const byAddress = `product-card?product=${origin.url('/red.png')}`;
  await checkSame(t, await first.render(byName), await first.render(byAddress), 'by name');
  for (const host of ['inward.example', 'nobody.example']) {
    const answer = await first.render(`product-card?product=http://${host}:${origin.port}/`);
    t.match(checkError(t, answer, 400, 'BAD_REQUEST'), 'product', host);
  }
});

t.test(
  'a second start prints no key and draws the same; with a certificate it speaks TLS',
  async (t) => {
    const before = await first.render('hello?name=Ada');
    first.process.kill('SIGTERM');
    t.same(await first.process.ended, { code: 0, signal: null });
    const port = await freePort();
    const second = startProgram(t, {
      PLATEN_HOST: '127.0.0.1',
      PLATEN_PORT: String(port),
      PLATEN_DATA_DIR: dataDirectory,
      PLATEN_THREADS: '1',
      PLATEN_PUBLIC_URL: 'https://images.example.com/below',
      PLATEN_TLS_CERT: join(directory, 'cert.pem'),
      PLATEN_TLS_KEY: join(directory, 'key.pem'),
    });
    await eventually(() => second.stdout.search(linkPattern) !== -1 || second.hasEnded, 30_000);
    t.match(second.stdout, 'https://images.example.com/below/v1/render/');
    t.notMatch(second.stdout + second.stderr, keyPattern);
    t.notMatch(second.stdout + second.stderr, key);
    const ask = (path: string) => fetchSecurely(port, path, tls.cert, { 'X-API-Key': key });
    t.equal((await ask('/v1/templates')).status, 200, 'the key of the first start is still valid');
    const after = await ask('/v1/render/hello?name=Ada');
    t.equal(after.headers.etag, before.headers.etag, 'an image keeps its tag');
    second.kill('SIGINT');
    t.same(await second.ended, { code: 0, signal: null });
  },
);

t.test('a wrong variable stops the start, and all problems are reported at once', async (t) => {
  const wrong: Record<string, string> = {
    PLATEN_PORT: 'eighty',
    PLATEN_HOST: 'http://localhost',
    PLATEN_PUBLIC_URL: 'images.example.com',
    PLATEN_DEMO_API_KEY: 'a secret with spaces',
    PLATEN_THREADS: '0',
    PLATEN_METRICS_PORT: '70000',
    PLATEN_TLS_CERT: join(directory, 'missing.pem'),
    PLATEN_TLS_KEY: join(directory, 'missing-too.pem'),
    PLATEN_IMAGES_ALLOWED_ADDRESSES: '10.0.0.0/99',
    PLATEN_IMAGES_ALLOWED_PORTS: '80,http',
    PLATEN_IMAGES_DNS_SERVERS: 'dns.example.com',
    PLATEN_PROT: '3000',
  };
  const program = startProgram(t, { ...wrong, PLATEN_DATA_DIR: join(directory, 'wrong') });
  t.same(await program.ended, { code: configurationExit, signal: null });
  for (const name of Object.keys(wrong)) t.match(program.stderr, name, `${name} is named`);
  t.match(program.stderr, /expected/);
  t.notMatch(program.stderr, /a secret with spaces/, 'a key is not repeated');
  t.notMatch(program.stderr, /^\s+at /m, 'no stack trace');
  t.equal(program.stdout, '');
});

t.test('one unknown variable is enough, also an empty one', async (t) => {
  const unborn = join(directory, 'unborn');
  const program = startProgram(t, { PLATEN_DATA_DIR: unborn, PLATEN_UNKNOWN: '' });
  t.equal((await program.ended).code, configurationExit);
  t.match(program.stderr, 'PLATEN_UNKNOWN');
  t.notOk(existsSync(unborn), 'nothing is written');
});

/** Sends a request over TLS to 127.0.0.1, trusting this one certificate. */
function fetchSecurely(
  port: number,
  path: string,
  cert: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const url = `https://localhost:${port}${path}`;
    httpsGet(url, { ca: cert, family: 4, agent: false, headers }, (answer) => {
      answer
        .resume()
        .on('end', () => resolve({ status: answer.statusCode, headers: answer.headers }));
    }).on('error', reject);
  });
}

t.test('a demo key that the operator has set is valid and never printed', async (t) => {
  const service = await startService(t);
  const headers = { 'X-API-Key': demoKey };
  t.equal((await service.get('/v1/templates', { headers })).status, 200);
  service.process.kill('SIGTERM');
  await service.process.ended;
  t.match(service.process.stdout, linkPattern, 'the first start has printed its link');
  t.notOk((service.process.stdout + service.process.stderr).includes(demoKey));
});
