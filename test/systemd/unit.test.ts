import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseConfig } from '../../src/settings.ts';

const repository = join(import.meta.dirname, '../..');
const folder = join(repository, 'systemd');
const unit = readFileSync(join(folder, 'platen@.service'), 'utf8');

/** Most exposure that the hardening may leave, of 10 (systemd-analyze(1)). */
const exposureMax = 2;

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const needsSystemd = hasSystemd ? {} : { skip: 'systemd is not installed' };

t.test('systemd finds nothing wrong with the unit, alone and numbered', needsSystemd, async (t) => {
  // Where the operator has a release, this test has the repository.
  const release = join(t.testdir(), 'release');
  symlinkSync(repository, release);
  const path = join(t.testdirName, 'platen@.service');
  writeFileSync(path, unit.replaceAll('/opt/platen/current', release));
  const verify = (): unknown[] => {
    const args = ['verify', path];
    const { status, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    return [status, stderr];
  };
  t.same(verify(), [0, '']);
  mkdirSync(`${path}.d`);
  copyFileSync(join(folder, 'platen-processes.conf'), join(`${path}.d`, 'processes.conf'));
  t.same(verify(), [0, '']);
});

t.test('systemd finds little to attack', needsSystemd, async (t) => {
  const path = join(folder, 'platen@.service');
  const text = execFileSync('systemd-analyze', ['security', '--offline=true', path], {
    encoding: 'utf8',
  });
  const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(text)?.[1]);
  t.ok(exposure > 0 && exposure <= exposureMax, `exposure ${exposure}`);
});

t.test('the unit starts the service with the options of npm start', async (t) => {
  const manifest = readFileSync(join(repository, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: { start: string } };
  const [, command] = /^ExecStart=\S+\/(node .+)$/m.exec(unit) ?? [];
  t.equal(`exec ${command}`, scripts.start);
});

t.test('each directive has its reason above it', async (t) => {
  const lines = unit.split('\n');
  const isDirective = (line: string): boolean => /^[A-Z][A-Za-z]+=/.test(line);
  for (const [index, line] of lines.entries()) {
    const isNamed = /^(Description|Documentation|WantedBy|DefaultInstance)=/.test(line);
    if (!isDirective(line) || isNamed) continue;
    // Directives of one reason stand together.
    const above = lines.slice(0, index).findLast((each) => !isDirective(each)) ?? '';
    t.ok(above.startsWith('# '), line);
  }
});

t.test('a process that dies by a signal is started again, as often as it takes', async (t) => {
  t.match(unit, /^Restart=always$/m);
  t.match(unit, /^RestartSec=250ms$/m);
  t.match(unit, /^StartLimitIntervalSec=0$/m);
  t.match(unit, /^RestartPreventExitStatus=78$/m, 'of a wrong setting alone it is not');
  t.notMatch(unit, /^SuccessExitStatus=/m);
});

t.test('the environment file has settings that exist', async (t) => {
  const settings = readFileSync(join(folder, 'platen.env'), 'utf8').matchAll(
    /^#?(PLATEN_\w+)=(.*)$/gm,
  );
  const environment = Object.fromEntries([...settings].map(([, name, value]) => [name, value]));
  t.ok(Object.keys(environment).length > 3);
  t.doesNotThrow(() => parseConfig(environment));
  const set = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  t.doesNotThrow(() => parseConfig(Object.fromEntries(set)));
});

t.test('numbered processes have a port each, and systemd takes their file', async (t) => {
  const text = readFileSync(join(folder, 'platen-processes.conf'), 'utf8');
  const settings = (instance: string): Record<string, string | undefined> =>
    Object.fromEntries(
      [...text.matchAll(/(PLATEN_\w+)=(\S+)/g)].map(([, name, value = '']) => [
        name,
        value.replace('%i', instance),
      ]),
    );
  const [first, second] = ['1', '2'].map((instance) => parseConfig(settings(instance)));
  t.same([first?.http.port, second?.http.port], [3001, 3002]);
  t.equal(first?.process.portShared, false, 'two of them can never have one port');
});

t.test(
  'the page removes the settings of platen.env that would win over those of numbered processes',
  async (t) => {
    const page = readFileSync(join(repository, 'docs/scaling.md'), 'utf8');
    const [, removal = ''] =
      /^sudo sed -i -E '([^']+)' \/etc\/platen\/platen\.env/m.exec(page) ?? [];
    const left = execFileSync('sed', ['-E', removal, join(folder, 'platen.env')], {
      encoding: 'utf8',
    });
    const processes = readFileSync(join(folder, 'platen-processes.conf'), 'utf8');
    const names = [...processes.matchAll(/(PLATEN_\w+)=\S/g)].map(([, name = '']) => name);
    t.ok(names.length > 4);
    for (const name of names) t.notMatch(left, new RegExp(`^${name}=`, 'm'), name);
  },
);

t.test('the scripts are valid for any shell', async (t) => {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.sh'))) {
    t.equal(spawnSync('sh', ['-n', join(folder, name)]).status, 0, name);
  }
});
