import { totalmem } from 'node:os';
import t from 'tap';
import { usableMemoryBytes } from '../src/scheduling/memory-budget.ts';
import { ConfigError } from '../src/config/config.ts';
import { parseConfig, sections } from '../src/settings.ts';
import { removedSettings } from '../src/config/removed.ts';
import { imageLoaderDefaults } from '../src/images/load-images.ts';

/** The problems that an environment has. */
function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

t.test('an empty environment gives the defaults of the contract', async (t) => {
  const config = parseConfig({});
  t.match(config, {
    http: { port: 3000, host: '0.0.0.0' },
    templates: { dataDirectory: 'data/var' },
    images: { allowedAddresses: [], allowedPorts: [80, 443], dnsServers: [] },
  });
  t.ok(config.render.threadCount >= 1);
  t.equal(config.http.publicUrl, undefined);
  t.equal(config.http.metricsPort, undefined);
});

t.test('every variable is read, and an empty one counts as not set', async (t) => {
  const config = parseConfig({
    PLATEN_PORT: '0',
    PLATEN_HOST: '127.0.0.1',
    PLATEN_DATA_DIR: '/srv/platen',
    PLATEN_DATABASE_URL: 'postgres://platen:secret@db/platen',
    PLATEN_PUBLIC_URL: 'https://images.example.com/p',
    PLATEN_DEMO_API_KEY: 'pk_live_x',
    PLATEN_THREADS: '2',
    PLATEN_METRICS_PORT: '9100',
    PLATEN_TLS_CERT: '',
    PLATEN_TLS_KEY: ' ',
    PLATEN_IMAGES_ALLOWED_ADDRESSES: '10.0.0.0/8, fd00::/8,127.0.0.1',
    PLATEN_IMAGES_ALLOWED_PORTS: '80,8080',
    PLATEN_IMAGES_DNS_SERVERS: '1.1.1.1,127.0.0.1:5353,[::1]:53,::1',
    PATH: '/bin',
  });
  t.match(config, {
    http: {
      port: 0,
      host: '127.0.0.1',
      publicUrl: 'https://images.example.com/p',
      metricsPort: 9100,
    },
    templates: {
      dataDirectory: '/srv/platen',
      databaseUrl: 'postgres://platen:secret@db/platen',
      demoApiKey: 'pk_live_x',
    },
    render: { threadCount: 2 },
    images: {
      allowedAddresses: ['10.0.0.0/8', 'fd00::/8', '127.0.0.1'],
      allowedPorts: [80, 8080],
      dnsServers: ['1.1.1.1', '127.0.0.1:5353', '[::1]:53', '::1'],
    },
  });
  t.equal(config.http.tlsCert, undefined);
});

t.test('origins of pages are listed one by one, as browsers write them', async (t) => {
  t.same(parseConfig({}).http.corsOrigins, []);
  const listed = 'https://tools.example.com, http://localhost:8080';
  t.same(parseConfig({ PLATEN_CORS_ORIGINS: listed }).http.corsOrigins, listed.split(', '));
  for (const wrong of '* null tools.example.com https://a.example/ https://*.example'.split(' ')) {
    t.match(problemsOf({ PLATEN_CORS_ORIGINS: wrong }), [/^PLATEN_CORS_ORIGINS is /], wrong);
  }
});

t.test('the log has a level and a sample', async (t) => {
  t.same(parseConfig({}).log, { level: 'info', hitsEvery: 1000 });
  const { log } = parseConfig({
    PLATEN_LOG_LEVEL: 'warn',
    PLATEN_LOG_HITS_EVERY: '0',
  });
  t.same(log, { level: 'warn', hitsEvery: 0 });
  t.match(problemsOf({ PLATEN_LOG_LEVEL: 'loud' }), [
    /^PLATEN_LOG_LEVEL is "loud"; expected one of/,
  ]);
  t.equal(problemsOf({ PLATEN_LOG_LEVEL: 'WARN' }).length, 1);
});

t.test('the limits of images are the loader’s own, and can be changed', async (t) => {
  const { decodesBytesMax, cacheBytesMax: _byMemory, ...limits } = parseConfig({}).images;
  t.match(imageLoaderDefaults, limits);
  t.equal(decodesBytesMax, 1024 ** 3);
  const { images } = parseConfig({
    PLATEN_IMAGES_SOURCE_MIB: '5',
    PLATEN_IMAGES_TOTAL_TIMEOUT_MS: '10000',
    PLATEN_IMAGES_FETCHES_PER_HOST_MAX: '32',
  });
  t.match(images, {
    sourceBytesMax: 5 * 1024 ** 2,
    totalTimeoutMs: 10_000,
    firstByteTimeoutMs: 6000,
    fetchesPerHostMax: 32,
  });
});

t.test('all problems are reported at once, each with what was expected', async (t) => {
  const problems = problemsOf({ PLATEN_PORT: 'x', PLATEN_THREADS: '0', PLATEN_PROT: '1' });
  t.equal(problems.length, 3);
  t.match(problems[0], /^PLATEN_PORT is "x"; expected a port from 0 to 65535\./);
  t.match(problems[1], /^PLATEN_THREADS is "0"; expected a whole number from 1 to 64\./);
  t.match(problems[2], /^PLATEN_PROT is no setting; expected one of: .*PLATEN_PORT/);
});

t.test('a setting that was removed stops no start', async (t) => {
  for (const name of removedSettings) t.same(problemsOf({ [name]: '1' }), [], name);
  const known = Object.values(sections)
    .flatMap(({ properties }) => Object.values<object>(properties))
    .map((setting) => (setting as { env: string }).env);
  t.same(
    known.filter((name) => removedSettings.includes(name)),
    [],
  );
});

t.test('a wrong value is refused', async (t) => {
  const wrong: [name: string, ...values: string[]][] = [
    ['PLATEN_PORT', '65536', '-1', '3e3', '0x10', '80.5'],
    ['PLATEN_HOST', 'a b', 'http://x'],
    ['PLATEN_THREADS', '65', 'all'],
    ['PLATEN_PUBLIC_URL', 'example.com', 'ftp://x', 'https://x/', 'https://x/?a', 'https://x y'],
    ['PLATEN_METRICS_PORT', 'on'],
    ['PLATEN_DEMO_API_KEY', 'two words', 'ü'],
    ['PLATEN_IMAGES_ALLOWED_ADDRESSES', ...'10.0.0.0/33 example.com 1.2.3 1.1.1.1/8/8'.split(' ')],
    ['PLATEN_IMAGES_ALLOWED_PORTS', '0', '80,', '80;443', 'http'],
    ['PLATEN_IMAGES_DNS_SERVERS', '1.1.1.1:99999'],
    ['PLATEN_IMAGES_DNS_SERVERS', ...'dns.example 1.1.1.1:0 [1.1.1.1]:53 ::1:x'.split(' ')],
    ['PLATEN_RENDER_TIMEOUT_MS', '1', '3600000'],
    ['PLATEN_IMAGES_SOURCE_MIB', '0', '257', '10MiB', '1.5'],
    ['PLATEN_IMAGES_TOTAL_TIMEOUT_MS', '0', '2s', '60001'],
  ];
  for (const [name, ...values] of wrong) {
    for (const value of values) {
      const [problem, ...more] = problemsOf({ [name]: value });
      t.match(problem, new RegExp(`^${name} is .*; expected `), `${name}=${value}`);
      t.equal(more.length, 0);
    }
  }
});

t.test('certificate and key belong together and must be readable', async (t) => {
  const { pathname } = new URL('../package.json', import.meta.url);
  t.match(problemsOf({ PLATEN_TLS_CERT: pathname }), [/belong together/]);
  t.match(problemsOf({ PLATEN_TLS_CERT: pathname, PLATEN_TLS_KEY: '/nowhere/key.pem' }), [
    /^PLATEN_TLS_KEY is .*readable PEM file/,
    /belong together/,
  ]);
  t.same(problemsOf({ PLATEN_TLS_CERT: pathname, PLATEN_TLS_KEY: pathname }), []);
});

t.test('a wrong secret is not repeated', async (t) => {
  t.notMatch(problemsOf({ PLATEN_DEMO_API_KEY: 'my secret' }).join(), /my secret/);
});

t.test('the caches follow the memory that the process may use, unless they are set', async (t) => {
  const mebibyte = 1024 * 1024;
  const { cache } = parseConfig({
    PLATEN_CACHE_RENDERS_MB: '100',
    PLATEN_CACHE_PLANS_MB: '7',
  });
  t.equal(cache.rendersBytesMax, 100 * mebibyte);
  t.equal(cache.linksBytesMax, 6.25 * mebibyte);
  t.equal(cache.baseRendersBytesMax, 7 * mebibyte);
  t.ok(usableMemoryBytes() > 64 * mebibyte && usableMemoryBytes() <= totalmem());
});
