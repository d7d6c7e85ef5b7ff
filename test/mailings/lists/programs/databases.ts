/** Lets PostgreSQL, SQLite and MariaDB write lists, from servers that listen on a socket of a temporary folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, workFolder, type Job } from './job.ts';

const tableColumns = (types: Record<'real' | 'text', string>): string =>
  `(id int, name ${types.text}, city ${types.text}, amount ${types.real}, since date, note ${types.text})`;

const quoted = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;

/** Statements that make the table `list` with the rows of a job. */
function tableOf({ rows }: Job, types: Record<'real' | 'text', string>): string {
  const values = rows.map((row) => `(${row.map(quoted).join(', ')})`).join(',\n');
  return `DROP TABLE IF EXISTS list;\nCREATE TABLE list ${tableColumns(types)};\nINSERT INTO list VALUES ${values};\n`;
}

export function writeWithPostgres(jobs: readonly Job[]): void {
  const [version] = readdirSync('/usr/lib/postgresql').toReversed();
  const bin = `/usr/lib/postgresql/${version}/bin`;
  const folder = join(workFolder, 'postgres');
  mkdirSync(folder);
  run('chown', ['postgres', workFolder, folder]);
  const asPostgres = (...command: string[]): string =>
    run('runuser', ['-u', 'postgres', '--', ...command]);
  const data = join(folder, 'data');
  asPostgres(`${bin}/initdb`, '-D', data, '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust');
  const options = `-c listen_addresses='' -c unix_socket_directories='${folder}'`;
  asPostgres(`${bin}/pg_ctl`, '-w', '-D', data, '-o', options, '-l', join(folder, 'log'), 'start');
  try {
    for (const job of jobs) {
      const path = join(folder, 'list.csv');
      const settings = `WITH (FORMAT csv, HEADER, DELIMITER E'${job.separator}'${job.quoteAll ? ', FORCE_QUOTE *' : ''}`;
      const query = '(SELECT * FROM list ORDER BY id)';
      const copy =
        job.program === 'psql-copy'
          ? `\\encoding ${job.name}\n\\copy ${query} TO '${path}' ${settings})`
          : `COPY ${query} TO '${path}' ${settings}, ENCODING '${job.name}');`;
      const statements = `\\set ON_ERROR_STOP on\n${tableOf(job, { real: 'real', text: 'text' })}${copy}\n`;
      writeFileSync(join(folder, 'list.sql'), statements);
      asPostgres('psql', '-q', '-h', folder, '-d', 'postgres', '-f', join(folder, 'list.sql'));
      writeFileSync(job.path, readFileSync(path));
    }
  } finally {
    asPostgres(`${bin}/pg_ctl`, '-D', data, '-m', 'fast', 'stop');
  }
}

export function writeWithSqlite(jobs: readonly Job[]): void {
  for (const job of jobs) {
    const text = join(workFolder, 'sqlite.csv');
    const commands = [
      tableOf(job, { real: 'real', text: 'text' }),
      `.headers on\n.mode csv\n.separator ${job.separator === '\t' ? '\\t' : job.separator}\n.once ${text}`,
      'SELECT * FROM list ORDER BY id;\n',
    ].join('\n');
    run('sqlite3', [':memory:'], commands);
    run('sh', ['-c', `iconv -f UTF-8 -t "$1" "$2" > "$3"`, 'sh', job.name, text, job.path]);
  }
}

export async function writeWithMariadb(jobs: readonly Job[]): Promise<void> {
  const folder = join(workFolder, 'mariadb');
  mkdirSync(folder);
  chmodSync(workFolder, 0o777);
  run('chown', ['mysql', folder]);
  const data = join(folder, 'data');
  run('mariadb-install-db', ['--user=mysql', `--datadir=${data}`, '--skip-test-db']);
  const socket = join(folder, 'socket');
  const server = spawn(
    'mariadbd',
    [
      '--no-defaults',
      '--user=mysql',
      `--datadir=${data}`,
      `--socket=${socket}`,
      '--skip-networking',
      '--secure-file-priv=',
    ],
    { stdio: ['ignore', 'ignore', 'ignore'] },
  );
  try {
    const ask = (statements: string): string =>
      run(
        'mariadb',
        [
          '--no-defaults',
          `--socket=${socket}`,
          '--default-character-set=utf8mb4',
          '--database=test',
        ],
        statements,
      );
    run('sh', [
      '-c',
      `for try in $(seq 100); do mariadb-admin --no-defaults --socket=${socket} ping >/dev/null 2>&1 && exit; sleep 0.2; done; exit 1`,
    ]);
    run(
      'mariadb',
      ['--no-defaults', `--socket=${socket}`],
      'CREATE DATABASE IF NOT EXISTS test CHARACTER SET utf8mb4;',
    );
    for (const job of jobs) {
      const path = join(folder, 'list.csv');
      rmSync(path, { force: true });
      ask(`${tableOf(job, { real: 'decimal(10,1)', text: 'text' })}${outfileOf(job, path)}`);
      writeFileSync(job.path, readFileSync(path));
    }
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

/** MariaDB escapes with a backslash unless `ESCAPED BY` says otherwise. */
function outfileOf(
  { columns, separator, quoteAll, isDos, name, program }: Job,
  path: string,
): string {
  const header = columns.map((column) => `'${column}'`).join(', ');
  return `SELECT ${header} UNION ALL (SELECT * FROM list ORDER BY id LIMIT 100000) INTO OUTFILE '${path}'
CHARACTER SET ${name} FIELDS TERMINATED BY '${separator === '\t' ? '\\t' : separator}'
${quoteAll ? '' : 'OPTIONALLY '}ENCLOSED BY '"'${program === 'mariadb' ? ` ESCAPED BY '"'` : ''}
LINES TERMINATED BY '${isDos ? '\\r\\n' : '\\n'}';\n`;
}
