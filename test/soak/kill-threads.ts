/** Loaded before the service (`--import`): at SIGUSR2 its oldest render process is killed, as the kernel does when memory is out. */
import { readdirSync, readFileSync } from 'node:fs';

/** Numbers of the render processes, oldest first. */
function renderProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return parent === process.pid && /\/render(-process)?\.[jt]s\0/.test(command);
      } catch {
        return false;
      }
    })
    .toSorted((a, b) => a - b);
}

process.on('SIGUSR2', () => {
  const [oldest] = renderProcesses();
  if (oldest !== undefined) process.kill(oldest, 'SIGKILL');
});
