/** PostgreSQL servers on machines of a private network: a primary, and a standby that each commit waits for. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { eventually } from '../e2e/service.ts';
import { postgresPrograms } from './postgres.ts';
import { createMachine } from './private-machines.ts';
import type { PrivateMachine } from './private-machines.ts';

export interface PostgresMachine {
  machine: PrivateMachine;
  /** Runs a statement; returns what psql prints, without headings. */
  sql(database: string, statement: string): string;
  /** Ends all its processes at once, as the end of its machine does. */
  kill(): Promise<void>;
}

export interface PostgresPair {
  primary: PostgresMachine;
  standby: PostgresMachine;
  /** Of the empty database `platen`. */
  url: string;
}

/** The server refuses to run as root, so it is another user, in a namespace that knows one alone. */
const asNobody = ['unshare', '--user', '--map-user=nobody'];
/** What a server runs behind: all its processes end with the first one. */
export const asServer: readonly string[] = [...asNobody, '--pid', '--fork', '--kill-child'];
/** Which ends with this process. */
const withUs = ['setpriv', '--pdeathsig', 'KILL'];

/** Starts both, in the folder of the test; they end with it. */
export async function startPostgresPair(t: Test): Promise<PostgresPair> {
  const machine = createMachine('primary', 21);
  const cluster = join(t.testdirName, 'primary');
  run(machine, 'initdb', ['-D', cluster, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N']);
  const others = 'host all,replication all 10.77.0.0/24 trust\n';
  appendFileSync(join(cluster, 'pg_hba.conf'), others);
  const settings = [
    "listen_addresses = '*'",
    "unix_socket_directories = ''",
    'shared_buffers = 16MB',
  ];
  appendFileSync(join(cluster, 'postgresql.conf'), `${settings.join('\n')}\n`);
  const primary = await serve(t, machine, cluster);
  primary.sql('postgres', 'CREATE DATABASE platen');

  const second = createMachine('standby', 22);
  const copy = join(t.testdirName, 'standby');
  const source = `host=${machine.address} user=postgres application_name=standby`;
  run(second, 'pg_basebackup', ['-D', copy, '-d', source, '-R', '-c', 'fast', '-N']);
  const standby = await serve(t, second, copy);
  primary.sql('postgres', "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  primary.sql('postgres', 'SELECT pg_reload_conf()');
  const state = 'SELECT sync_state FROM pg_stat_replication';
  if (!(await eventually(() => primary.sql('postgres', state) === 'sync'))) {
    throw new Error('The standby does not follow.');
  }
  const url = `postgres://postgres@${machine.address},${second.address}/platen`;
  return { primary, standby, url };
}

async function serve(t: Test, machine: PrivateMachine, cluster: string): Promise<PostgresMachine> {
  const [program, ...args] = [...withUs, ...machine.run, ...asServer];
  const server = join(postgresPrograms ?? '', 'postgres');
  const log = openSync(`${cluster}.log`, 'w');
  const child = spawn(program ?? '', [...args, server, '-D', cluster], {
    stdio: ['ignore', log, log],
  });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  t.teardown(kill);
  const postgres: PostgresMachine = {
    machine,
    kill,
    sql(database, statement) {
      const target = ['-h', machine.address, '-U', 'postgres', '-d', database];
      return run(machine, 'psql', [...target, '-Atc', statement]).trim();
    },
  };
  const accepts = (): boolean => {
    try {
      return postgres.sql('postgres', 'SELECT 1') === '1';
    } catch {
      return false;
    }
  };
  if (!(await eventually(accepts)))
    throw new Error(`PostgreSQL does not start, see ${cluster}.log`);
  return postgres;
}

function run(machine: PrivateMachine, program: string, args: readonly string[]): string {
  const [first, ...others] = [...machine.run, ...asNobody];
  const path = join(postgresPrograms ?? '', program);
  return execFileSync(first ?? '', [...others, path, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
