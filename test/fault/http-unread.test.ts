/** Answers that nobody reads: the kernel keeps them, and systemd/platen-sysctl.conf bounds how much for each connection. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { canRunIn, inPrivateNetwork } from '../helpers/private-network.ts';

const inNetwork = inPrivateNetwork();
const program = fileURLToPath(new URL('../fixtures/unread-answers.ts', import.meta.url));
const needs = canRunIn(inNetwork) ? false : 'needs unshare and ip';

t.test(
  'with the settings of systemd/ the kernel keeps little of what is not read',
  { skip: needs },
  (t) => {
    const [clients, answerBytes] = [50, 3_600_000];
    const order = [process.execPath, program, String(clients), String(answerBytes)];
    const output = execFileSync('unshare', [...inNetwork, ...order], { encoding: 'utf8' });
    const { connections, bytes } = JSON.parse(output) as { connections: number; bytes: number };
    t.equal(connections, clients);
    t.ok(bytes / clients < 400_000, `${Math.round(bytes / clients / 1000)} kB of 3600 for each`);
    t.end();
  },
);
