import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import t from 'tap';
import { createProgram } from '../../src/cli/program.ts';
import { repository, runOnTerminal, runPlaten } from './run-platen.ts';

// Each command is a process of its own; on a busy machine they take seconds.
t.setTimeout(120_000);

const hasTerminal = spawnSync('script', ['--version']).status === 0;

t.test('each command has help with examples, and takes --json', async (t) => {
  const program = createProgram(() => Promise.resolve());
  let names = 0;
  for (const command of leaves(program)) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    const [usage = ''] = help.split('\n', 1);
    names += 1;
    t.match(help, /\n {2}--json /, usage);
    t.match(help, /\nExamples:\n {2}\$ .*platen /, usage);
  }
  t.equal(names, 31);
  const { stdout, code } = await runPlaten(['templates', 'push', '--help']);
  t.equal(code, 0);
  t.match(stdout, /^Usage: platen templates push \[options\] \[uid\.\.\.\]\n/);
});

t.test('an unknown command or option is answered with the nearest name and 2', async (t) => {
  const command = await runPlaten(['valdate', 'a.json']);
  t.equal(command.code, 2);
  t.match(command.stderr, /Did you mean validate\?/);
  const option = await runPlaten(['render', 'a.json', '--output', 'a.png', '--fromat', 'png']);
  t.equal(option.code, 2);
  t.match(option.stderr, /Did you mean --format\?/);
  const asJson = await runPlaten(['validate', '--json']);
  t.equal(asJson.code, 2);
  t.match(asJson.json(), { error: /missing required argument/, exitCode: 2 });
  const nothing = await runPlaten([]);
  t.equal(nothing.code, 2);
  t.match(nothing.stderr, /Usage: platen/);
});

t.test('a wrong environment ends a command with 78 and every problem', async (t) => {
  const environment = { PLATEN_PORT: 'x', PLATEN_NOPE: '1' };
  const ran = await runPlaten(['org', 'list'], { environment });
  t.equal(ran.code, 78);
  t.match(ran.stderr, /PLATEN_PORT is "x"/);
  t.match(ran.stderr, /PLATEN_NOPE is no setting/);
  t.equal(ran.stdout, '');
  t.equal((await runPlaten(['serve'], { environment })).code, 78, 'serve as well');
  const asJson = await runPlaten(['org', 'list', '--json'], { environment });
  t.match(asJson.json(), { exitCode: 78, error: /PLATEN_NOPE/ });
});

t.test('a command on a database that is not there makes none and ends with 66', async (t) => {
  const environment = { PLATEN_DATA_DIR: t.testdir() };
  for (const args of [
    ['org', 'list'],
    ['templates', 'list'],
    ['key', 'list'],
    ['backup', 'b.db'],
  ]) {
    const ran = await runPlaten(args, { environment, cwd: t.testdirName });
    t.equal(ran.code, 66, args.join(' '));
    t.match(ran.stderr, /There is no database .*platen\.db/);
  }
  t.equal((await runPlaten(['org', 'create', 'a'], { environment })).code, 0);
});

t.test('another Node passes on the signal that ends the packaged one', async (t) => {
  // The first module of the first process changes its version; the packaged Node does not get the option.
  const otherVersion =
    "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.0.0'}})";
  const args = ['--import', otherVersion, join(repository, 'dist/platen.js'), 'serve'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PLATEN_PORT: '0', PLATEN_DATA_DIR: join(t.testdir(), 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const started = once(child.stdout, 'data');
  const ended = once(child, 'exit');
  await started;
  child.kill('SIGHUP');
  t.same(await ended, [128 + constants.signals.SIGHUP, null]);
});

t.test('colours are for terminals, and not with NO_COLOR', { skip: !hasTerminal }, async (t) => {
  const args = ['validate', 'data/templates/hello.json'];
  const environment = { TERM: 'xterm-256color' };
  const escape = '\u001b[';
  t.match((await runOnTerminal(args, { environment })).stdout, escape);
  const uncoloured = { ...environment, NO_COLOR: '1' };
  const plain = await runOnTerminal(args, { environment: uncoloured });
  t.notMatch(plain.stdout, escape);
  t.notMatch((await runPlaten(args, { environment })).stdout, escape);
});

interface MadeOrganization {
  organization: { uid: string; name: string };
  key: string;
}

t.test('an organization is made with a key, listed, and named among several', async (t) => {
  const environment = { PLATEN_DATA_DIR: t.testdir() };
  const made = await runPlaten(['org', 'create', 'Acme', '--json'], { environment });
  t.equal(made.code, 0);
  const { organization, key } = made.json() as MadeOrganization;
  t.match(organization, { uid: /^org_/, name: 'Acme' });
  t.match(key, /^pk_live_\w{32}$/);
  t.same(Object.keys(made.json() as object), ['organization', 'key']);

  t.equal((await runPlaten(['key', 'list'], { environment })).code, 0, 'the only one');
  await runPlaten(['org', 'create', 'Other'], { environment });
  const listed = await runPlaten(['org', 'list', '--json'], { environment });
  t.match(listed.json(), { organizations: [{ name: 'Acme' }, { name: 'Other' }] });
  const unnamed = await runPlaten(['key', 'list'], { environment });
  t.equal(unnamed.code, 2);
  t.match(unnamed.stderr, /choose one with --org: .*\(Acme\), .*\(Other\)/);
  for (const org of ['Acme', organization.uid]) {
    const keys = await runPlaten(['key', 'list', '--org', org, '--json'], { environment });
    const scopes = ['read', 'render', 'write', 'access'];
    t.match(keys.json(), { keys: [{ name: 'first', scopes, revoked_at: null }] });
  }
  const unknown = await runPlaten(['key', 'list', '--org', 'Nobody'], { environment });
  t.equal(unknown.code, 66);
  const nameless = await runPlaten(['org', 'create', ''], { environment });
  t.equal(nameless.code, 1);
  t.match(nameless.stderr, /1 to 200 characters/);
});

/** The commands without commands of their own. */
function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}
