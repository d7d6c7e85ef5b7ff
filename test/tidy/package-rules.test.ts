import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { checkLock, checkReasons, checkVersions, type PackageJson } from './package-rules.ts';

const readText = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const manifest = JSON.parse(readText('package.json')) as PackageJson;

t.test('versions are exact, and the lock file serves every platform from any registry', (t) => {
  const lock = JSON.parse(readText('package-lock.json'));
  t.same(checkVersions(manifest), []);
  t.same(checkLock(manifest, lock), []);
  const versions = { a: '1.2.3', b: '2.0.0-rc1', c: 'npm:@x/c-pack@1.0.0' };
  const loose = { d: '^1.0.0', e: 'latest', f: '1.2', g: 'github:a/b' };
  t.equal(
    checkVersions({ dependencies: { ...versions, ...loose }, devDependencies: {} }).length,
    4,
  );
  const packages = {
    '': { dependencies: { a: '1.2.2' } },
    'node_modules/a': { resolved: 'https://example.com/a.tgz' },
    'node_modules/b': {
      optionalDependencies: { '@b/linux': '1', '@b/darwin': '1', '@b/win': '1' },
    },
    'node_modules/b/node_modules/@b/linux': {},
    'node_modules/@b/win': {},
    'node_modules/better-sqlite3': {},
  };
  t.same(checkLock({ dependencies: { a: '1.2.3' }, devDependencies: {} }, { packages }), [
    'package-lock.json: a is not 1.2.3',
    'package-lock.json: node_modules/a has "resolved"',
    'package-lock.json: @b/darwin, which node_modules/b may need, is missing',
    'package-lock.json: node_modules/better-sqlite3 needs "gypfile": false',
  ]);
  t.end();
});

t.test('the architecture page says what each dependency is for', async (t) => {
  t.same(checkReasons(manifest, readText('docs/architecture.md')), []);
  const three = { dependencies: { sharp: '1', '@f/a': '1' }, devDependencies: { tap: '1' } };
  t.same(checkReasons(three, '`sharp` encodes. `@f/*` are the fonts.'), [
    'docs/architecture.md: say in a sentence what `tap` is for',
  ]);
});
