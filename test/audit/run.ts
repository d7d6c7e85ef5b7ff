/**
 * `npm run check:audit`: fails when a dependency has a known serious fault, and says so when nobody could be asked; with
 * `-- --required` it fails then too.
 */
import { spawnSync } from 'node:child_process';
import { judgeAudit } from './judge-audit.ts';

/** Milliseconds that the registry may take. */
const timeoutMs = 60_000;

/** For the person who publishes: no answer is then no clean bill. */
const isRequired = process.argv.includes('--required');

const { stdout } = spawnSync('npm', ['audit', '--json'], {
  encoding: 'utf8',
  timeout: timeoutMs,
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'ignore'],
});
const verdict = judgeAudit(stdout);
if (!verdict.isKnown) {
  console.log(`The dependencies were NOT audited: ${verdict.reason}.`);
  if (isRequired) process.exitCode = 1;
} else if (verdict.advisories.length === 0) {
  console.log('No dependency has a known fault of high or critical severity.');
} else {
  console.error(verdict.advisories.join('\n'));
  process.exitCode = 1;
}
