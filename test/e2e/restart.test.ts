import { fileURLToPath } from 'node:url';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { canRunIn, inPrivateNetwork } from '../helpers/private-network.ts';

/**
 * A network of this test alone, with the setting of systemd/platen-sysctl.conf: without it the kernel resets
 * connections that are just being made when one of two processes leaves a port (19 of 82,000 requests in 20 restarts).
 */
const inNetwork = inPrivateNetwork(['echo 1 >/proc/sys/net/ipv4/tcp_migrate_req']);

const programs = {
  'restarts under load': './restart-trial.ts',
  'the restart script': './restart-script-trial.ts',
};

const restarts = String(extent(1, 3));
const mayRun = canRunIn(inNetwork);
for (const [name, program] of Object.entries(programs)) {
  if (mayRun) {
    const path = fileURLToPath(new URL(program, import.meta.url));
    void t.spawn('unshare', [...inNetwork, process.execPath, path, restarts], name);
  } else {
    t.test(name, { skip: 'needs unshare, ip and tcp_migrate_req' }, (t) => t.end());
  }
}
