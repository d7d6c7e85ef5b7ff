/** The walls: every entrance is open to its users, and every other way is reported. */
import { dirname, join, relative } from 'node:path';
import t from 'tap';
import { readImports } from './imports.ts';
import { listFiles, loadTexts, sourceFiles } from './source-files.ts';
import { checkWalls, postgres } from './walls.ts';

const root = join(import.meta.dirname, '../..');

/** Complaints about one file with this code. */
function complaintsOf(path: string, text: string): string[] {
  return checkWalls([{ path, text, imports: readImports(path, text) }]);
}

/** `import(…)`, put together here because this file is one of those that the rules read. */
const load = (argument: string): string => `import(${argument})`;
const from = (specifier: string): string => `import { a } from '${specifier}';`;

const nearPath = (path: string, target: string): string =>
  `./${relative(dirname(path), target)}`.replace('./..', '..');

const list = '../mailings/lists/list.ts';
const connection = '../store/shared/connection.ts';

t.test(
  'the core knows no wing, and others enter a wing and PostgreSQL where it is for them',
  async (t) => {
    t.equal(checkWalls(sourceFiles(loadTexts(root, listFiles(root)))).join('\n'), '');
    for (const [path, code] of [
      ['src/app.ts', from('./mailings/mailings.ts')],
      ['src/adapters/a.ts', from('../mailings/mailings.ts')],
      ['src/cli/a.ts', load(`'../mailings/commands.ts'`)],
      ['src/store/a.ts', from('./database/shared-port.ts')],
      ['src/store/shared/a.ts', from('../database/shared-contract.ts')],
      ['src/paths.ts', "const a = 'src/mailings/tables/thread.ts';"],
      ['src/mailings/a.ts', "const a = new URL('./lists/list.ts', import.meta.url);"],
      [
        'src/mailings/a.ts',
        `class A { async ${load('list: A')} { return this.#${load('list')} } }`,
      ],
      ['src/studio/a.ts', load("new URL('check.js', import.meta.url).href")],
      ['src/http/a.ts', "const a = createRequire(import.meta.url)('saxes');"],
    ] as const) {
      t.same(complaintsOf(path, code), [], code);
    }
  },
);

t.test('the core must not know a wing, however a file names another', async (t) => {
  for (const code of [
    from(list),
    `import type { A } from '${list}';`,
    `export * from '${list}';`,
    from('#language/../mailings/lists/list.ts'),
    load(`'${list}'`),
    load(`\`${list}\``),
    load(`"${list}"`),
    `createRequire(import.meta.url)('${list}')`,
    `new Worker(new URL('${list}', import.meta.url))`,
    `new Worker(new URL(\`${list}\`, import.meta.url))`,
    "new Worker('#wire/../mailings/lists/list.ts')",
    "new Worker(packagePath('src/mailings/lists/list.ts'))",
  ]) {
    for (const path of ['src/api/a.ts', 'src/http/a.ts']) {
      t.same(
        complaintsOf(path, code),
        [`${path} is of the core and must not know src/mailings/lists/list.ts of a wing`],
        code,
      );
    }
  }
  t.same(complaintsOf('workers/a.ts', "new Worker('src/mailings/lists/list.ts')"), [
    'workers/a.ts is of the core and must not know src/mailings/lists/list.ts of a wing',
  ]);
  t.same(complaintsOf('src/config/a.ts', from('../mailings/config.ts')), [
    'src/config/a.ts is of the core and must not know src/mailings/config.ts of a wing',
  ]);
});

t.test('an import whose file is computed is reported, because no rule can follow it', async (t) => {
  for (const code of [
    load('name'),
    load("'../mail' + rest"),
    load('`../${name}/a.ts`'),
    load('new URL(name, import.meta.url).href'),
    'createRequire(import.meta.url)(name)',
    'new Worker(new URL(`../${name}/thread.ts`, import.meta.url))',
  ]) {
    t.match(
      complaintsOf('src/api/a.ts', code),
      [/^src\/api\/a.ts must name the file itself: /],
      code,
    );
  }
});

t.test('nothing passes the port of PostgreSQL', async (t) => {
  const { port, contract } = postgres;
  for (const folder of ['process', 'mailings', 'pages', 'cli', 'adapters', 'mcp']) {
    const path = `src/${folder}/a.ts`;
    for (const code of [from(connection), load(`'${connection}'`)]) {
      t.same(
        complaintsOf(path, code),
        [`${path} must import ${port}, not src/store/shared/connection.ts behind it`],
        path,
      );
    }
  }
  t.same(complaintsOf('src/store/a.ts', from('./database/shared-contract.ts')), [
    `src/store/a.ts must import ${port}, not ${contract} behind it`,
  ]);
});

t.test('a file enters a wing by the entrance that is for it', async (t) => {
  for (const [path, target, entrance] of [
    ['src/app.ts', 'src/mailings/lists/list.ts', 'src/mailings/mailings.ts'],
    ['src/cli/a.ts', 'src/mailings/campaigns/campaigns.ts', 'src/mailings/commands.ts'],
    ['src/cli/a.ts', 'src/mailings/mailings.ts', 'src/mailings/commands.ts'],
    ['src/cli/a.ts', 'src/mcp/route.ts', 'src/mcp/stdio.ts'],
    ['src/mcp/a.ts', 'src/client/links.ts', 'src/client/platen-client.ts'],
    ['src/app.ts', 'src/pages/html.ts', 'src/pages/pages.ts'],
  ] as const) {
    const [, wing = ''] = /^(src\/\w+\/)/.exec(target) ?? [];
    t.same(
      complaintsOf(path, from(nearPath(path, target))),
      [`${path} must enter ${wing} by ${entrance}, not by ${target}`],
      target,
    );
  }
  t.same(complaintsOf('src/cli/a.ts', from('../studio/main.tsx')), [
    'src/cli/a.ts must not know src/studio/main.tsx: no entrance of src/studio/ is for it',
  ]);
});
