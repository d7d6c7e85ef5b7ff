/**
 * A fleet on machines of a private network: nodes behind HAProxy with the file of deploy/. Each answer says which node it
 * is of. For programs that run with `machinesSetUp`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import type { Agent } from 'node:http';
import { join } from 'node:path';
import type { Test } from 'tap';
import { createMachine } from '../helpers/private-machines.ts';
import type { PrivateMachine } from '../helpers/private-machines.ts';
import { shareFonts } from '../helpers/share-fonts.ts';
import { request } from './request.ts';
import { demoKey, eventually, startProgram } from './service.ts';
import type { Program } from './service.ts';

/** A node and its machine; its data folder outlives its process. */
export interface FleetNode {
  name: string;
  machine: PrivateMachine;
  process: Program;
  /** Starts it again once it has ended; resolves when it is ready. */
  start(): Promise<void>;
  /** The value of one line of `/metrics`, 0 when there is no such line. */
  metric(line: string): Promise<number>;
}

export interface FleetAnswer {
  status: number;
  /** Of a link: the node that answered, and its cache state (`hit`, `miss` …). */
  node: string;
  cache: string;
}

export interface Fleet {
  nodes: FleetNode[];
  /** Through the proxy; rejects when no whole answer comes. */
  ask(path: string, agent?: Agent | false): Promise<FleetAnswer>;
  /** Resolves when the proxy sends a node requests, or does no more. */
  becomes(node: FleetNode, status: 'UP' | 'DOWN'): Promise<void>;
  /** Images that its nodes have drawn. */
  renders(): Promise<number>;
}

const servicePort = 3000;
const metricsPort = 9300;
const proxyMetricsPort = 8405;
/** Of health checks, in place of a second, so that tests are short. */
const checkMs = 200;

const [clockLibrary] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');

/** The environment of a program whose clock is ahead; undefined without the package faketime. */
export const clockAhead: Record<string, string> | undefined =
  clockLibrary === undefined
    ? undefined
    : {
        LD_PRELOAD: clockLibrary,
        FAKETIME: '+300s',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      };

const nodeProgram = join(import.meta.dirname, '../../node_modules/.bin/node');
const deploy = join(import.meta.dirname, '../../deploy');

/** Starts nodes of the names `a`, `b`, `c`, and HAProxy; all end with the test. */
export async function startFleet(t: Test): Promise<Fleet> {
  const proxy = createMachine('proxy', 2);
  const nodes = await Promise.all(
    ['a', 'b', 'c'].map((name, index) =>
      startNode(t, name, createMachine(name, 11 + index), proxy.address),
    ),
  );
  startProxy(t, proxy, nodes);
  const fleet: Fleet = {
    nodes,
    async ask(path, agent = false) {
      const { status, headers } = await request(80, path, { host: proxy.address, agent });
      const [, cache = ''] = /cache;desc=(\w+)/.exec(String(headers['server-timing'])) ?? [];
      return { status, node: String(headers['x-node']), cache };
    },
    async becomes({ name }, status) {
      const line = `haproxy_server_status{proxy="links",server="${name}",state="${status}"} 1`;
      const isSo = async (): Promise<boolean> => {
        const page = request(proxyMetricsPort, '/metrics', { host: proxy.address, agent: false });
        return page.then(
          ({ text }) => text.includes(line),
          () => false,
        );
      };
      if (!(await eventually(isSo))) throw new Error(`${name} did not become ${status}`);
    },
    async renders() {
      const line = 'platen_renders_total{cache="miss"}';
      const counts = await Promise.all(nodes.map((node) => node.metric(line)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
  await Promise.all(nodes.map((node) => fleet.becomes(node, 'UP')));
  await warmUp(fleet);
  return fleet;
}

/** A node that has rendered nothing cannot estimate a render, and refuses some on busy cores. */
async function warmUp(fleet: Fleet): Promise<void> {
  for (let index = 0; index < 12; index += 1) {
    const path = `/v1/render/hello?name=W${index}`;
    // A queue would be refused.
    await eventually(async () => (await fleet.ask(path)).status === 200);
  }
}

async function startNode(
  t: Test,
  name: string,
  machine: PrivateMachine,
  proxyAddress: string,
): Promise<FleetNode> {
  const dataDirectory = join(t.testdirName, name);
  await shareFonts(dataDirectory);
  const program = machine.wrap(nodeProgram, join(t.testdirName, `node-${name}`));
  const { address } = machine;
  const settings = {
    PLATEN_HOST: address,
    PLATEN_PORT: String(servicePort),
    PLATEN_METRICS_PORT: String(metricsPort),
    PLATEN_DATA_DIR: dataDirectory,
    PLATEN_DEMO_API_KEY: demoKey,
    PLATEN_THREADS: '1',
    // A node that has just started estimates renders by the slow ones of its start, and refuses some by its default.
    PLATEN_RENDER_TIMEOUT_MS: '30000',
    PLATEN_SHUTDOWN_DELAY_MS: String(4 * checkMs),
    PLATEN_TRUSTED_PROXIES: proxyAddress,
  };
  const node: FleetNode = {
    name,
    machine,
    process: startProgram(t, settings, [], program),
    async start() {
      node.process = startProgram(t, settings, [], program);
      await becomesReady(node);
    },
    async metric(line) {
      const { text } = await request(metricsPort, '/metrics', { host: address, agent: false });
      const found = text.split('\n').find((each) => each.startsWith(`${line} `));
      return Number(found?.slice(line.length + 1) ?? 0);
    },
  };
  await becomesReady(node);
  return node;
}

async function becomesReady({ process, machine: { address: host } }: FleetNode): Promise<void> {
  const isReady = (): Promise<boolean> =>
    request(servicePort, '/readyz', { host, agent: false }).then(
      ({ status }) => status === 200,
      () => false,
    );
  const reached = await eventually(async () => process.hasEnded || (await isReady()), 60_000);
  if (!reached || process.hasEnded) throw new Error(`${process.stdout}${process.stderr}`);
}

/** HAProxy with the file of deploy/, at these addresses and without TLS. */
function startProxy(t: Test, machine: PrivateMachine, nodes: readonly FleetNode[]): void {
  let text = readFileSync(join(deploy, 'haproxy.cfg'), 'utf8')
    .replace(/^ {2}(?:user|group) .*\n/gm, '')
    .replace('log /dev/log local0', 'log stdout format raw local0')
    .replace('maxconn 20000', 'maxconn 1000')
    .replaceAll('/etc/haproxy/platen-link.lua', join(deploy, 'haproxy-link.lua'))
    // HAProxy takes a second for each step.
    .replace(/.*slowstart.*\n/, '')
    .replace(/bind :443 .*/, `bind ${machine.address}:80`)
    .replace('bind 127.0.0.1:', `bind ${machine.address}:`)
    .replace('inter 1s', `inter ${checkMs}ms`)
    .replace('tcp-ut 5s', `tcp-ut ${5 * checkMs}ms`)
    .replaceAll(/^(backend links.*)$/gm, '$1\n  http-response set-header X-Node %s');
  for (const [index, { machine: node }] of nodes.entries()) {
    text = text.replaceAll(`10.0.0.${11 + index}:3000`, `${node.address}:${servicePort}`);
  }
  const path = join(t.testdirName, 'haproxy.cfg');
  writeFileSync(path, text);
  const [program, ...args] = machine.run;
  const child = spawn(program, [...args, 'haproxy', '-db', '-f', path], {
    // It reports each change of a node.
    stdio: ['ignore', 'ignore', openSync(join(t.testdirName, 'haproxy.log'), 'w')],
  });
  t.teardown(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
}
