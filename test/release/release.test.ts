/** `npm run release`: a release starts, draws every script as the whole installation does, and says what is in it. */
import { exec, spawnSync } from 'node:child_process';
import { existsSync, globSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import type { Test } from 'tap';
import t from 'tap';
import { bundleBrowserCode } from '../../src/pages/bundle.ts';
import { isReleased, releasedPackages } from '../../src/cli/build/packages.ts';
import { manifest } from '../../src/foundation/product.ts';
import { addonPackages, isTestedAddon, loadAddon } from '../../src/http/native.ts';
import { demoKey, shareService, startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';

t.setTimeout(120_000);

const repository = join(import.meta.dirname, '../..');
const node = join(repository, 'node_modules/.bin/node');

/** The goal is 300 MB on disk. `--strip` takes 22 MB away. */
const releaseBytesMax = 301_000_000;
/** The goal is 130 MB as an image, with gzip of GNU. `--strip` takes 5.0 MB away; base, shell and libraries of the image add 7.0 MB. */
const gzipBytesMax = 128_000_000;

/** A word in each script that the bundled fonts draw. */
const scripts = [
  'Grace Ελένη Наталья أماندا דניאלה अमांडा อแมนด้า আমান্ডা અમાન્ડા ਅਮਾਂਡਾ',
  'ಅಮಾಂಡಾ അമാൻഡ அமண்டா అమాండా අමැන්ඩා Ամանդա ამანდა አማንዳ អាម៉ាន់ដា ອາມັນດາ',
  'အမန်ဒါ ཨ་མན་ད། 阿曼达 亞曼達 アマンダ あまんだ 아만다 👩🏽‍🚀🎉',
].flatMap((line) => line.split(' '));

const uid = 'scripts-of-a-release';

/** All lines in regular and bold. */
const template = {
  format: 1,
  variables: [],
  name: 'Scripts of a release',
  width: 640,
  height: scripts.length * 30,
  layers: scripts.flatMap((text, index) =>
    [400, 700].map((fontWeight, column) => ({
      id: `l${index}-${fontWeight}`,
      type: 'text',
      text,
      fontWeight,
      fontSize: 18,
      x: 10 + column * 320,
      y: index * 30,
      width: 300,
      height: 30,
    })),
  ),
};

async function publish(service: Service): Promise<void> {
  const options = { method: 'POST', headers: { 'X-API-Key': demoKey } };
  const body = JSON.stringify(template);
  const saved = await service.get(`/v1/templates?uid=${uid}`, { ...options, body });
  t.equal(saved.status, 201, saved.text);
  const published = await service.get(`/v1/templates/${uid}/publish`, options);
  t.equal(published.status, 200, published.text);
}

/** Number of the machine in the header of a native binary (ELF), by its name in Node. */
const elfMachines: Partial<Record<string, number>> = { x64: 62, arm64: 183 };

/** Bytes of the folder as one archive with gzip. */
async function gzipBytes(folder: string): Promise<number> {
  const { stdout } = await promisify(exec)('tar -c . | gzip | wc -c', { cwd: folder });
  return Number(stdout);
}

/** Bytes of all files, links counted once. */
function treeBytes(folder: string): number {
  const seen = new Map<number, number>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const { ino, size } = lstatSync(join(entry.parentPath, entry.name));
    if (entry.isFile()) seen.set(ino, size);
  }
  return [...seen.values()].reduce((sum, size) => sum + size, 0);
}

interface Component {
  name: string;
  version: string;
  purl: string;
  licenses: object[];
  components?: { name: string; hashes: { alg: string; content: string }[] }[];
}

/** Name and version of a package folder. */
function readPackage(folder: string): string {
  const { name, version } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Component;
  return `${name}@${version}`;
}

/** Packages with code in `dist/`: source maps name those of the programs, esbuild those of the browser code. */
async function bundledPackages(): Promise<Set<string>> {
  const maps = globSync('dist/**/*.map', { cwd: repository }).flatMap((path) => {
    const { sources } = JSON.parse(readFileSync(join(repository, path), 'utf8')) as {
      sources: string[];
    };
    return sources.map((source) => join(repository, path, '..', source));
  });
  const { sources } = await bundleBrowserCode();
  const paths = [...maps, ...sources.map((source) => join(repository, source))];
  const folders = paths.flatMap((path) => {
    const parts = path.split('node_modules/');
    const [scope = '', name = ''] = parts.pop()?.split('/') ?? [];
    const folder = [...parts, scope.startsWith('@') ? `${scope}/${name}` : scope];
    return folder.length > 1 ? folder.join('node_modules/') : [];
  });
  // Maps of packages also name folders that only their authors have.
  const installed = folders.filter((folder) => existsSync(join(folder, 'package.json')));
  return new Set(installed.map(readPackage));
}

/** Requires that the bill of materials lists each package that the release has files or code of, and no other. */
async function checkBill(t: Test, release: string, digests: Set<string>): Promise<void> {
  const bill = JSON.parse(readFileSync(join(release, 'sbom.cdx.json'), 'utf8'));
  const { version } = manifest;
  t.match(bill, { bomFormat: 'CycloneDX', specVersion: '1.5' });
  t.match(bill.metadata.component, { name: 'platen', version, type: 'application' });
  const components = bill.components as Component[];
  const listed = components.map(({ purl }) => decodeURIComponent(purl.replace('pkg:npm/', '')));

  const folders = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: release });
  const released = folders.map((path) => readPackage(join(release, path, '..')));
  const { packageName: addonPackage } = loadAddon();
  t.ok(released.length >= releasedPackages(manifest.dependencies, { addonPackage }).length);
  const readmes = globSync('data/*/README.md', { cwd: repository });
  const copied = readmes.flatMap((path) =>
    [...readFileSync(join(repository, path), 'utf8').matchAll(/`([^`\s]+)` (\d+\.\d+\.\d+)/g)].map(
      ([, name, copiedVersion]) => `${name}@${copiedVersion}`,
    ),
  );
  const expected = new Set([...released, ...(await bundledPackages()), ...copied]);
  t.same(listed.toSorted(), [...expected].toSorted(), 'sbom.cdx.json');

  const names = new Set(components.map(({ name }) => name));
  // The build alone needs esbuild, and one build of the HTTP server is in use.
  const absent = ['esbuild', ...addonPackages.filter((name) => name !== addonPackage)];
  for (const name of Object.keys(manifest.dependencies)) {
    t.equal(names.has(name), !absent.includes(name), name);
  }
  for (const { id } of JSON.parse(
    readFileSync(join(release, 'data/font-library/families.json'), 'utf8'),
  ) as { id: string }[]) {
    t.ok(names.has(`@expo-google-fonts/${id}`), id);
  }
  for (const { purl, licenses } of components) t.ok(licenses.length > 0, purl);
  const files = components.flatMap(({ components: each = [] }) => each);
  const digestOf = ({ hashes: [hash] }: (typeof files)[number]): string => hash?.content ?? '';
  t.same(new Set(files.map((each) => `${digestOf(each)}  ${each.name}`)), digests);
  t.ok(files.some((each) => isTestedAddon(digestOf(each))));
  const known = new Set<string>(
    [...components, bill.metadata.component].map((each) => each['bom-ref']),
  );
  for (const { ref, dependsOn } of bill.dependencies) {
    for (const id of [ref, ...dependsOn]) t.ok(known.has(id), id);
  }
}

t.test('a release is small, and draws what the whole installation draws', async (t) => {
  const release = join(t.testdir(), 'release');
  const made = spawnSync(node, ['src/cli/build/release.ts', release, '--revision', 'abc1234'], {
    cwd: repository,
    encoding: 'utf8',
  });
  t.equal(made.status, 0, made.stderr);
  const bytes = treeBytes(release);
  t.ok(bytes <= releaseBytesMax, `${Math.round(bytes / 1e6)} MB`);

  const archived = gzipBytes(release);

  const run = (...args: string[]): string =>
    spawnSync(args[0] ?? '', args.slice(1), { cwd: release, encoding: 'utf8' }).stdout;
  t.equal(
    run('node_modules/.bin/node', 'dist/platen.js', '--version'),
    `${manifest.version} (abc1234)\n`,
  );
  const digests = run('sha256sum', '--check', 'native-binaries.sha256').trim().split('\n');
  t.match(digests.join(), /skia\.node: OK.*node\/bin\/node: OK.*uws_\S+: OK/);
  t.ok(digests.length >= 6 && digests.every((line) => line.endsWith(': OK')), digests.join('\n'));
  for (const line of digests) {
    const header = readFileSync(join(release, line.slice(0, -': OK'.length))).subarray(0, 20);
    t.equal(header.readUInt16LE(18), elfMachines[process.arch], line);
  }
  const lines = readFileSync(join(release, 'native-binaries.sha256'), 'utf8').trim().split('\n');
  await checkBill(t, release, new Set(lines));

  const [small, whole] = await Promise.all([
    startService(t, { folder: release, dataDirectory: join(t.testdirName, 'data') }),
    shareService(),
  ]);
  await Promise.all([publish(small), publish(whole)]);
  const samples = readdirSync(join(release, 'data/templates'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => basename(name, '.json'));
  t.ok(samples.length >= 9);
  for (const each of [uid, ...samples]) {
    // Text in Chinese would have another weight than 400 and 700 in some.
    const target = `${each}.png?name=${encodeURIComponent('Zoë أماندا')}`;
    const [one, other] = await Promise.all([small.render(target), whole.render(target)]);
    t.equal(one.status, 200, `${each} ${one.text.slice(0, 200)}`);
    const [pixels, expected] = await Promise.all([
      sharp(one.body).raw().toBuffer(),
      sharp(other.body).raw().toBuffer(),
    ]);
    t.ok(pixels.equals(expected), `${each} has the same pixels`);
    if (each === uid) t.equal(one.headers['x-render-warnings'], undefined, 'every glyph is there');
  }
  for (const path of ['/', '/studio', '/docs', '/client.js']) {
    t.equal((await small.get(path)).status, 200, path);
  }
  for (const family of ['Noto Sans JP', 'Noto Sans SC']) {
    const path = `/studio/fonts?family=${encodeURIComponent(family)}`;
    const [one, other] = await Promise.all(
      [small, whole].map(async (service) => {
        const { body } = await service.get(path, { headers: { 'X-API-Key': demoKey } });
        return body.length;
      }),
    );
    t.ok((one ?? 0) > 1e6 && one === other, `the studio gets ${family} alone`);
  }
  const compressedBytes = await archived;
  t.ok(compressedBytes <= gzipBytesMax, `${Math.round(compressedBytes / 1e5) / 10} MB with gzip`);
});

t.test('a release has one binary of each addon, for the platform that it is made for', (t) => {
  const target = {
    arch: 'arm64',
    abi: '127',
    isMusl: false,
    addonPackage: 'uws-pack',
    hasAllWeights: false,
  };
  const linux = { ...target, platform: 'linux' };
  for (const [name, folder] of [
    ['uWebSockets.js', ''],
    ['uws-pack', 'dist/bin/'],
  ] as const) {
    const addon = (build: string): boolean => isReleased(name, `${folder}uws_${build}.node`, linux);
    t.same(
      ['linux_arm64_127', 'linux_arm64_115', 'linux_x64_127', 'darwin_arm64_127'].filter(addon),
      ['linux_arm64_127'],
    );
  }
  const packages = { 'uWebSockets.js': '1.0.0', 'uws-pack': '1.0.0', sharp: '1.0.0' };
  t.same(releasedPackages(packages, target), ['uws-pack', 'sharp']);
  const prebuild = (name: string): boolean =>
    isReleased('better-sqlite3', `prebuilds/${name}.node`, linux);
  t.same(['linux-arm64', 'linuxmusl-arm64', 'darwin-arm64'].filter(prebuild), ['linux-arm64']);
  for (const family of ['noto-sans-sc', 'noto-serif-tibetan', 'noto-sans-ethiopic']) {
    const weight = (name: string, hasAllWeights: boolean): boolean =>
      isReleased(`@expo-google-fonts/${family}`, `${name}/${name}.ttf`, {
        ...linux,
        hasAllWeights,
      });
    t.notOk(weight('900Black', false), family);
    t.ok(weight('900Black', true), family);
    t.ok(weight('700Bold', false), family);
  }
  t.end();
});
