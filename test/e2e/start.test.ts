import { existsSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { get as httpsGet } from 'node:https';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import { makeCertificate } from '../fixtures/images-tls.ts';
import { checkDifferent, image, plainImage, sends } from './image-bytes.ts';
import { eventually, freePort, startProgram, startService } from './service.ts';

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
t.teardown(() => origin.close());

const tls = makeCertificate(['localhost']);
const directory = t.testdir({ 'key.pem': tls.key, 'cert.pem': tls.cert });
const dataDirectory = join(directory, 'deep', 'data');
const first = await startService(t, {
  dataDirectory,
  hasOrganizationFonts: true,
  origins: [origin],
  environment: {
    PLATEN_DEMO_API_KEY: '',
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
  const removed = first.process.stderr.split('"event":"setting removed"');
  t.equal(removed.length, 2, 'a setting that was removed leaves one warning');
  t.match(removed[1], /PLATEN_IMAGES_STALE_S has no effect/);
});

t.test('the organization demo owns the samples, each draws its variables', async (t) => {
  const headers = { 'X-API-Key': key };
  const listed = (await first.get('/v1/templates', { headers })).json() as { total: number };
  t.ok(listed.total > Object.keys(samples).length, 'and one more');
  for (const [uid, sample] of Object.entries(samples)) {
    const details = await first.get(`/v1/templates/${uid}`, { headers });
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
  }
});

t.test('metrics are on their own port, and nothing else is', async (t) => {
  t.equal((await first.get('/metrics')).status, 404);
  const metrics = await fetch(`http://127.0.0.1:${first.metricsPort}/metrics`);
  t.equal(metrics.status, 200);
  t.match(await metrics.text(), /^# TYPE \w+ counter$/m);
  const other = await fetch(`http://127.0.0.1:${first.metricsPort}/v1/render/hello`);
  t.equal(other.status, 404);
});

t.test('a second start has no key and draws the same; with a certificate it has TLS', async (t) => {
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
});

t.test('a wrong variable and an unknown one, also empty, stop the start', async (t) => {
  const unborn = join(directory, 'unborn');
  const wrong = { PLATEN_DEMO_API_KEY: 'a secret with spaces', PLATEN_UNKNOWN: '' };
  const program = startProgram(t, { ...wrong, PLATEN_DATA_DIR: unborn });
  t.same(await program.ended, { code: configurationExit, signal: null });
  for (const name of Object.keys(wrong)) t.match(program.stderr, name, `${name} is named`);
  t.match(program.stderr, /expected/);
  t.notMatch(program.stderr, /a secret with spaces/, 'a key is not repeated');
  t.notMatch(program.stderr, /^\s+at /m, 'no stack trace');
  t.equal(program.stdout, '');
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
