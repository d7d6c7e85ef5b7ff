import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { skipsPostgres } from '../helpers/postgres.ts';
import { asServer } from '../helpers/postgres-machines.ts';
import { machinesSetUp } from '../helpers/private-machines.ts';
import { canRunIn, inPrivateNetwork } from '../helpers/private-network.ts';

const inNetwork = inPrivateNetwork(machinesSetUp);
const name = 'a fleet behind HAProxy with a PostgreSQL primary and its standby';
if (skipsPostgres !== false) {
  t.test(name, { skip: skipsPostgres }, (t) => t.end());
} else if (canRunIn([...inNetwork, ...asServer]) && spawnSync('haproxy', ['-v']).status === 0) {
  const path = fileURLToPath(new URL('./fleet-trial.ts', import.meta.url));
  void t.spawn('unshare', [...inNetwork, process.execPath, path], name);
} else {
  t.test(name, { skip: 'needs unshare, ip and haproxy' }, (t) => t.end());
}
