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

const program = fileURLToPath(new URL('./restart-trial.ts', import.meta.url));

function isPossible(): boolean {
  try {
    execFileSync('unshare', [...inNetwork, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

if (isPossible()) {
  void t.spawn('unshare', [...inNetwork, process.execPath, program], 'restarts under load');
} else {
  t.test('restarts under load', { skip: 'needs unshare, ip and tcp_migrate_req' }, (t) => t.end());
}
