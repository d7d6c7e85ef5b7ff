/** Lets programs write the lists of this folder: `npm run lists:record`. README.md says what it needs. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeWithMariadb, writeWithPostgres, writeWithSqlite } from './databases.ts';
import { encodingNames, textPrograms, workbookPrograms } from './encodings.ts';
import { jobFile, run, versionOf, workFolder, type Job } from './job.ts';
import { columns, languagesOf, makeRows, type WrittenList } from './rows.ts';
import { writeWithGnumeric, writeWithLibreOffice } from './spreadsheets.ts';

const here = import.meta.dirname;
const sizes = [3, 8, 25, 40];
const workbookSizes = [8, 25];
const separators = [';', ',', '\t'];

/** Programs of which each encoding is written twice. */
const thoroughPrograms = new Set(['libreoffice']);
/**
 * Whether the lines end with CRLF, where a program breaks cells otherwise: csv-stringify quotes no LF if rows end with
 * CRLF, and MariaDB puts a quote before an LF that ends rows if it doubles quotes.
 */
const lineEnds: Readonly<Record<string, boolean>> = { 'csv-stringify': false, mariadb: true };
/** Programs that write commas. */
const commaPrograms = new Set(['sheetjs']);

const languageTurns = new Map<string, number>();
const files = new Set<string>();

/** The next language of an encoding: all of them come in turn. */
function nextLanguage(encoding: string): string {
  const languages = languagesOf(encoding === 'xlsx' ? 'utf-8' : encoding);
  const turn = languageTurns.get(encoding) ?? 0;
  languageTurns.set(encoding, turn + 1);
  const language = languages[(turn * 7) % languages.length];
  if (language === undefined) throw new Error(`No language has 20 names in ${encoding}.`);
  return language;
}

interface Order {
  list: WrittenList;
  job: Job;
}

let seed = 0;

function orderOf(program: string, encoding: string, name: string, rows: number): Order {
  seed += 1;
  const language = nextLanguage(encoding);
  const extension = encoding === 'xlsx' ? 'xlsx' : 'csv';
  const letters = encoding === 'xlsx' ? 'utf-8' : encoding;
  const stem = `files/${program}/${language}-${encoding === 'xlsx' ? 'sheet' : encoding}-${rows}`;
  const file = `${stem}.${extension}`;
  if (files.has(file)) throw new Error(`${file} is there twice.`);
  files.add(file);
  const list = { file, program, encoding: letters, language, rows, seed };
  const separator = commaPrograms.has(program) ? ',' : (separators[seed % 3] ?? ',');
  return {
    list,
    job: {
      program,
      path: join(workFolder, 'lists', `${seed}-${basename(file)}`),
      name,
      separator,
      quoteAll: seed % 4 === 0,
      isDos: lineEnds[program] ?? seed % 2 === 0,
      columns,
      rows: makeRows(list),
    },
  };
}

function* makeOrders(): Generator<Order> {
  for (const [index, program] of textPrograms.entries()) {
    for (const [at, [encoding, name]] of encodingNames(program).entries()) {
      const repeats = thoroughPrograms.has(program) ? 2 : 1;
      for (let repeat = 0; repeat < repeats; repeat += 1)
        yield orderOf(program, encoding, name, sizes[(index + at + 2 * repeat) % 4] ?? 3);
    }
  }
  for (const program of workbookPrograms)
    for (const rows of workbookSizes) yield orderOf(program, 'xlsx', '', rows);
}

type Writer = (jobs: Job[], index: number) => unknown;

const manifestPath = join(here, 'written-lists.json');
const versions: Record<string, string> = existsSync(manifestPath)
  ? (JSON.parse(readFileSync(manifestPath, 'utf8')) as { programs: Record<string, string> })
      .programs
  : {};

/** A program that reads its jobs from a file and prints its versions. */
const script =
  (command: string, file: string): Writer =>
  (jobs, index) => {
    const printed = run(command, [join(here, 'writers', file), jobFile(jobs, index)]);
    Object.assign(versions, JSON.parse(printed.trim().split('\n').at(-1) ?? '{}'));
  };

const writers: { programs: RegExp; write: Writer }[] = [
  { programs: /^libreoffice/, write: writeWithLibreOffice },
  { programs: /^gnumeric/, write: writeWithGnumeric },
  { programs: /^(?:python-csv|pandas|openpyxl)$/, write: script('/usr/bin/python3', 'write.py') },
  { programs: /^php/, write: script('php', 'write.php') },
  { programs: /^ruby/, write: script('ruby', 'write.rb') },
  { programs: /^perl/, write: script('perl', 'write.pl') },
  {
    programs: /^(?:csv-stringify|papaparse|fast-csv|json2csv|sheetjs.*|exceljs)$/,
    write: (jobs, index) => {
      copyFileSync(join(here, 'writers/package.json'), join(workFolder, 'package.json'));
      run('npm', ['install', '--silent', '--no-audit', '--no-fund']);
      script('node', 'write.cjs')(jobs, index);
    },
  },
  { programs: /^(?:postgresql|psql)/, write: writeWithPostgres },
  { programs: /^sqlite/, write: writeWithSqlite },
  { programs: /^mariadb/, write: writeWithMariadb },
];

/** Whether a program writes this time: all of them, or those that are named. */
function isAsked(program: string): boolean {
  const named = process.argv.slice(2);
  return named.length === 0 || named.includes(program);
}

chmodSync(workFolder, 0o777);
mkdirSync(join(workFolder, 'lists'));
const orders = [...makeOrders()];
for (const [index, { programs, write }] of writers.entries()) {
  const jobs = orders
    .map(({ job }) => job)
    .filter(({ program }) => programs.test(program) && isAsked(program));
  if (jobs.length === 0) continue;
  console.log(`${programs.source}: ${jobs.length} lists`);
  await write(jobs, index);
}
Object.assign(versions, {
  libreoffice: versionOf('soffice', '--version'),
  'libreoffice-xlsx': versionOf('soffice', '--version'),
  gnumeric: versionOf('ssconvert', '--version'),
  'gnumeric-xlsx': versionOf('ssconvert', '--version'),
  'postgresql-copy': versionOf('psql', '--version'),
  'psql-copy': versionOf('psql', '--version'),
  sqlite: versionOf('sqlite3', '--version'),
  mariadb: versionOf('mariadbd', '--version'),
  'mariadb-backslash': versionOf('mariadbd', '--version'),
});
for (const program of [...textPrograms, ...workbookPrograms])
  if (isAsked(program)) rmSync(join(here, 'files', program), { recursive: true, force: true });
let bytes = 0;
for (const { list, job } of orders) {
  const path = join(here, list.file);
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(job.path)) copyFileSync(job.path, path);
  if (existsSync(path)) bytes += statSync(path).size;
}
const lists = orders.map(({ list }) => JSON.stringify(list)).join(',\n');
writeFileSync(manifestPath, `{"programs": ${JSON.stringify(versions)}, "lists": [\n${lists}\n]}\n`);
run('npx', ['--prefix', join(here, '../../../..'), 'oxfmt', manifestPath]);
rmSync(workFolder, { recursive: true });
console.log(`${orders.length} lists, ${bytes} bytes`);
