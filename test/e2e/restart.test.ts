import { fileURLToPath } from 'node:url';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { canRunIn, inPrivateNetwork } from '../helpers/private-network.ts';

/**
 * A network of this test alone, with the setting of systemd/platen-sysctl.conf: without it the kernel resets
 * connections that are just being made when one of two processes leaves a port (19 of 82,000 requests in 20 restarts).
 */
const inNetwork = inPrivateNetwork(['echo 1 >/proc/sys/net/ipv4/tcp_migrate_req']);

const name = 'restarts under load';
if (canRunIn(inNetwork)) {
  const path = fileURLToPath(new URL('./restart-trial.ts', import.meta.url));
  const restarts = String(extent(1, 3));
  void t.spawn('unshare', [...inNetwork, process.execPath, path, restarts], name);
} else {
  t.test(name, { skip: 'needs unshare, ip and tcp_migrate_req' }, (t) => t.end());
}
