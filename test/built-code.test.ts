import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import t from 'tap';
import { buildFile, findProgram, programs } from '../src/process/built-code.ts';
import type { ProgramName } from '../src/process/built-code.ts';
import { keepAddresses } from '../src/cli/build/bundle.ts';
import type { RenderOutcome } from '#wire/render-job.ts';
import { errorText } from '#wire/source-lines.ts';
import { createPool, orderJob, within } from './fixtures/render-pool.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const finder = readFileSync(join(root, 'src/process/built-code.ts'), 'utf8');

/** A little repository whose only program is that of the service, as a source and as a bundle. */
function prepare(t: Test): string {
  const source = "process.stdout.write('source' as string);";
  const bundle = "process.stdout.write('bundle');";
  const build = {
    folder: 'abc',
    sources: { 'src/serve.ts': hash('sha256', source) },
    files: { 'serve/serve.js': bundle.length },
  };
  return t.testdir({
    'package.json': JSON.stringify({ type: 'module' }),
    src: {
      'main.ts': readFileSync(join(root, 'src/main.ts'), 'utf8'),
      process: { 'built-code.ts': finder },
      'serve.ts': source,
    },
    '.build': {
      'build.json': JSON.stringify(build),
      abc: { serve: { 'serve.js': bundle } },
    },
  });
}

function run(repository: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(repository, 'src/main.ts')], {
    encoding: 'utf8',
    env: {},
  });
  return stdout + stderr;
}

t.test('a program runs from its bundle', (t) => {
  t.equal(run(prepare(t)), 'bundle');
  t.end();
});

t.test(
  'a program runs from its sources where one of them is another, or the build is broken',
  (t) => {
    const changed = prepare(t);
    writeFileSync(join(changed, 'src/serve.ts'), "process.stdout.write('newer' as string);");
    t.equal(run(changed), 'newer');
    for (const text of [
      '{"folder":"abc"',
      '{}',
      '{"folder":"abc","sources":{"src/gone.ts":"0"}}',
    ]) {
      const broken = prepare(t);
      writeFileSync(join(broken, '.build/build.json'), text);
      t.equal(run(broken), 'source', text);
    }
    const cut = prepare(t);
    writeFileSync(join(cut, '.build/abc/serve/serve.js'), '');
    t.equal(run(cut), 'source', 'a file without its end');
    rmSync(join(cut, '.build/abc/serve'), { recursive: true });
    t.equal(run(cut), 'source', 'a file that is gone');
    const unbuilt = prepare(t);
    rmSync(join(unbuilt, '.build'), { recursive: true });
    t.equal(run(unbuilt), 'source');
    t.end();
  },
);

t.test('all programs of this repository are bundled, from its own sources', (t) => {
  const { folder, sources } = JSON.parse(readFileSync(buildFile, 'utf8')) as {
    folder: string;
    sources: Record<string, string>;
  };
  for (const [name, first] of Object.entries(programs)) {
    t.ok(sources[first], first);
    const { pathname } = findProgram(name as ProgramName);
    t.ok(pathname.endsWith(`/.build/${folder}/${name}/${name}.js`), pathname);
    t.ok(readFileSync(pathname, 'utf8').length > 1000, pathname);
  }
  t.notOk(Object.keys(sources).some((path) => path.includes('node_modules')));
  t.end();
});

t.test('a bundled module finds what lies beside its source', (t) => {
  const path = 'src/render/a.ts';
  const own = `new URL('../../../${path}', import.meta.url).href`;
  const cases: [text: string, kept: string][] = [
    ["new URL('../../data/a.json', import.meta.url)", `new URL('../../data/a.json', ${own})`],
    [
      "new URL('../../workers/render-process.ts', import.meta.url)",
      "new URL('../render/render.js', import.meta.url)",
    ],
    ["createRequire(import.meta.url)('saxes')", "require('saxes')"],
    ["createRequire(import.meta.url)('bwip-js/node')", `createRequire(${own})('bwip-js/node')`],
    ["import.meta.resolve('preact')", "import.meta.resolve('preact')"],
  ];
  for (const [text, kept] of cases) t.equal(keepAddresses(text, path), kept);
  t.throws(
    () => keepAddresses('join(import.meta.dirname)', path),
    /src\/render\/a\.ts: a bundle knows/,
  );
  t.throws(
    () => keepAddresses("new URL('./b.ts', import.meta.url)", path),
    /src\/render\/b\.ts is none of the programs/,
  );
  t.end();
});

t.test('an error names the line that was written, also from a bundle', async (t) => {
  const pool = createPool(t, { filename: fileURLToPath(findProgram('render')) });
  const broken = { ...orderJob({}), templateKey: 'broken', templateJson: '{' };
  const { outcome } = await pool.run(broken, within(30_000));
  const { detail } = outcome as RenderOutcome & { ok: false };
  t.match(detail, /^SyntaxError: .*JSON/);
  t.match(detail, /at parseTemplate \(file:\/\/\S+\/workers\/template-cache\.ts:\d+:\d+\)/);
  t.notMatch(detail, /\.build/);
});

t.test('what an error says of other files is left as it is', (t) => {
  const error = new Error();
  const build = new URL('../.build/', import.meta.url).href;
  for (const place of [
    `${build}../../secret.js:1:1`,
    `${build}abc/serve/gone.js:1:1`,
    `${build}build.json`,
    build + build,
    'file:///etc/passwd:1:1',
  ]) {
    error.stack = `Error: at ${place} (${place})`;
    t.equal(errorText(error), error.stack);
  }
  t.end();
});
