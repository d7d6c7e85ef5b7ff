/**
 * Writes `data/zones/`: ICU's time-zone rules with those of a newer tz database. `npm run build:zones -- FOLDER RELEASED`
 * takes the folder of compiled zones (`/usr/share/zoneinfo` after an upgrade of Debian's `tzdata`) and the day of its
 * release. Needs `zdump`, and `icupkg`, `derb` and `genrb` of Debian's `icu-devtools`.
 *
 * The base is the file inside Node. A zone whose offsets differ from the database gets its changes of 1901 to 2099, and
 * loses its rule.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packagePath } from '#paths.ts';
import { zoneRulesFolder, zoneRulesVersion } from '../../foundation/zone-rules.ts';
import { readZoneChanges } from './zone-changes.ts';
import type { ZoneChange } from './zone-changes.ts';

const years = { from: 1901, to: 2099 };

const [source = '/usr/share/zoneinfo', released = ''] = process.argv.slice(2);
if (zoneRulesFolder() !== undefined)
  throw new Error('ICU_TIMEZONE_FILES_DIR is set, expected the rules inside Node as the base.');
if (!/^\d{4}-\d\d-\d\d$/.test(released))
  throw new Error('The day of the release is missing: npm run build:zones -- FOLDER 2026-10-27');
const version = zoneRulesVersion(source);
if (version === undefined) throw new Error(`${source} has no tzdata.zi, expected compiled zones.`);

const folder = mkdtempSync(join(tmpdir(), 'platen-zones-'));
try {
  const base = readBase();
  const { text, changed } = replaceZones(base, version);
  const file = join(folder, 'zoneinfo64.txt');
  writeFileSync(file, text);
  execFileSync('genrb', ['-q', '-s', folder, '-d', packagePath('data/zones'), file]);
  const facts = `{ "version": "${version}", "released": "${released}" }\n`;
  writeFileSync(packagePath('data/zones/zones.json'), facts);
  process.stdout.write(
    `${version}: ${changed.length} zones differ from ${process.versions['tz']}: ${changed.join(', ')}\n`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** The rules inside Node as the text form of ICU's resource bundles. */
function readBase(): string {
  const program = readFileSync(process.execPath);
  // The header of a data file of ICU: its size, 0xDA27, and 8 bytes on the format "CmnD".
  const at = program.indexOf('CmnD') - 12;
  if (at < 0 || program.readUInt16LE(at + 2) !== 0x27_da)
    throw new Error(`${process.execPath} contains no data of ICU.`);
  const major = process.versions.icu?.split('.', 1)[0];
  const archive = join(folder, `icudt${major}l.dat`);
  writeFileSync(archive, program.subarray(at));
  execFileSync('icupkg', ['-x', 'zoneinfo64.res', '-d', folder, archive]);
  execFileSync('derb', ['-s', folder, '-d', folder, 'zoneinfo64']);
  return readFileSync(join(folder, 'zoneinfo64.txt'), 'utf8');
}

/** The bundle with the version of the database and its rules for each zone that differs. */
function replaceZones(base: string, newVersion: string): { text: string; changed: string[] } {
  const names = [...(/Names\{([^}]*)\}/.exec(base)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map(
    ([, name = '']) => name,
  );
  const at = base.indexOf('    Zones{');
  // One entry a zone, in the order of the names: the number of another zone, or a table.
  const zones = /^ {8}(?::int \{[^}]*\}|\{\n[\s\S]*?\n {8}\})/gm;
  const changes = readZoneChanges(source, names, years);
  const changed: string[] = [];
  let index = -1;
  const entries = base.slice(at).replace(zones, (entry) => {
    const name = names[(index += 1)] ?? '';
    const rows = changes.get(name);
    if (rows === undefined || rows.length === 0 || isEqual(name, rows)) return entry;
    changed.push(name);
    // A link follows its zone.
    if (entry.trimStart().startsWith(':int')) return entry;
    const links = /^ {12}links:.*$/m.exec(entry)?.[0];
    return `        {\n${links === undefined ? '' : `${links}\n`}${tableOf(rows)}        }`;
  });
  if (index + 1 !== names.length) throw new Error(`${index + 1} zones have ${names.length} names.`);
  const head = base.slice(0, at).replace(/TZVersion \{[^}]*\}/, `TZVersion { "${newVersion}" }`);
  return { text: head + entries, changed };
}

/** Whether Node has the same offsets from 1970 on, at each change and every four weeks. */
function isEqual(name: string, changes: readonly ZoneChange[]): boolean {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  const endS = Date.UTC(years.to, 11) / 1000;
  return changes.every(({ atS, offsetS }, at) => {
    const nextS = changes[at + 1]?.atS ?? endS;
    for (let seconds = Math.max(0, atS); seconds < nextS; seconds += 28 * 86_400)
      if (offsetIn(format, seconds) !== offsetS) return false;
    return true;
  });
}

function offsetIn(format: Intl.DateTimeFormat, atS: number): number {
  const [, sign = '+', hours = 0, minutes = 0, seconds = 0] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(atS * 1000)) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

/** The properties of a zone without a rule: types of offset, and the times at which they begin. */
function tableOf(changes: readonly ZoneChange[]): string {
  const types: string[] = [];
  let standardS = 0;
  const numbers = changes.map(({ offsetS, isSummer }) => {
    if (!isSummer) standardS = offsetS;
    const type = isSummer ? `${standardS}, ${offsetS - standardS}` : `${offsetS}, 0`;
    if (!types.includes(type)) types.push(type);
    return types.indexOf(type);
  });
  // The first row is the offset before all changes.
  const later = changes.slice(1);
  const parts = later
    .filter(({ atS }) => atS >= 2 ** 31)
    .flatMap(({ atS }) => [Math.floor(atS / 2 ** 32), atS | 0]);
  const times = later.flatMap(({ atS }) => (atS < 2 ** 31 ? [atS] : []));
  const map = numbers.slice(1).map((number) => number.toString(16).padStart(2, '0'));
  const rows = [
    `trans:intvector { ${times.join(', ')} }`,
    ...(parts.length === 0 ? [] : [`transPost32:intvector { ${parts.join(', ')} }`]),
    `typeMap:binary { ${map.join('')} }`,
    `typeOffsets:intvector { ${types.join(', ')} }`,
  ];
  return rows.map((row) => `            ${row} \n`).join('');
}
