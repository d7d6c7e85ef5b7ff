/**
 * Machines of one network, each a network namespace behind a bridge that a test can unplug. For programs that run in a
 * private network with `machinesSetUp`: `unshare`, with the arguments of `inPrivateNetwork(machinesSetUp)`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';

/** Commands of a shell that make the bridge, on which the test itself has the address 10.77.0.1. */
export const machinesSetUp: readonly string[] = [
  // Names of namespaces end with the network.
  'mount -t tmpfs none /run',
  // So does shared memory that a killed program leaves.
  'mount -t tmpfs none /dev/shm',
  'ip link add lan type bridge',
  'ip address add 10.77.0.1/24 dev lan',
  'ip link set lan up',
];

/** A network namespace with an address. */
export interface PrivateMachine {
  address: string;
  /** A program and its first arguments, in front of what runs on the machine. */
  run: readonly [program: string, ...args: string[]];
  /** Unplugs it: packets are lost, and nobody is informed. */
  cutOff(): void;
  plugIn(): void;
  /** Writes a program that runs `program` on this machine, with its process id, for what takes a path alone. */
  wrap(program: string, path: string): string;
}

/** Makes a machine at 10.77.0.`number`; it ends with the private network. */
export function createMachine(name: string, number: number): PrivateMachine {
  const address = `10.77.0.${number}`;
  const port = `port-${name}`;
  const ip = (...args: string[]): void => void execFileSync('ip', args);
  ip('netns', 'add', name);
  ip('link', 'add', port, 'type', 'veth', 'peer', 'name', 'lan', 'netns', name);
  ip('link', 'set', port, 'master', 'lan', 'up');
  ip('-n', name, 'link', 'set', 'lo', 'up');
  ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'lan');
  ip('-n', name, 'link', 'set', 'lan', 'up');
  const run = ['nsenter', `--net=/run/netns/${name}`] as const;
  return {
    address,
    run,
    // Unlike that of a link that is down, the address keeps its routes.
    cutOff: () => ip('link', 'set', port, 'nomaster'),
    plugIn: () => ip('link', 'set', port, 'master', 'lan'),
    wrap(program, path) {
      writeFileSync(path, `#!/bin/sh\nexec ${run.join(' ')} ${program} "$@"\n`);
      chmodSync(path, 0o700);
      return path;
    },
  };
}
