/** Runs programs in a network of their own, whose settings a test may change. */
import { execFileSync } from 'node:child_process';

/** Arguments of `unshare` in front of a program and its own; `setUp` are commands of a shell that come first. */
export function inPrivateNetwork(setUp: readonly string[] = []): string[] {
  const script = ['ip link set lo up', ...setUp, 'exec "$@"'].join(' && ');
  return ['--user', '--map-root-user', '--net', '--mount', 'sh', '-c', script, 'sh'];
}

/** Whether this machine lets us do so. */
export function canRunIn(network: readonly string[]): boolean {
  try {
    execFileSync('unshare', [...network, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
