import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { machinesSetUp } from '../helpers/private-machines.ts';
import { canRunIn, inPrivateNetwork } from '../helpers/private-network.ts';

const inNetwork = inPrivateNetwork(machinesSetUp);
const links = String(extent(300, 450));
const name = 'a fleet behind HAProxy';
if (canRunIn(inNetwork) && spawnSync('haproxy', ['-v']).status === 0) {
  const path = fileURLToPath(new URL('./fleet-trial.ts', import.meta.url));
  void t.spawn('unshare', [...inNetwork, process.execPath, path, links], name);
} else {
  t.test(name, { skip: 'needs unshare, ip and haproxy' }, (t) => t.end());
}
