import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

/**
 * A network of this test alone, with the setting of systemd/platen-sysctl.conf: without it the kernel resets
 * connections that are just being made when one of two processes leaves a port (19 of 82,000 requests in 20 restarts).
 */
const inNetwork = [
  '--user',
  '--map-root-user',
  '--net',
  'sh',
  '-c',
  'ip link set lo up && echo 1 >/proc/sys/net/ipv4/tcp_migrate_req && exec "$@"',
  'sh',
];

const programs = {
  'restarts under load': './restart-trial.ts',
  'the restart script': './restart-script-trial.ts',
};

function isPossible(): boolean {
  try {
    execFileSync('unshare', [...inNetwork, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const mayRun = isPossible();
for (const [name, program] of Object.entries(programs)) {
  if (mayRun) {
    const path = fileURLToPath(new URL(program, import.meta.url));
    void t.spawn('unshare', [...inNetwork, process.execPath, path], name);
  } else {
    t.test(name, { skip: 'needs unshare, ip and tcp_migrate_req' }, (t) => t.end());
  }
}
