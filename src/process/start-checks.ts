/** Checks of the machine, the time-zone rules and the HTTP server's build, logged at the start. */
import { readAddonVersion } from '../http/native.ts';
import { zoneRulesProblem } from '../foundation/zone-rules.ts';
import type { Log } from '../foundation/log.ts';
import type { CacheSizes } from '../scheduling/memory-budget.ts';
import { memoryBudget, memoryProblem, usableMemoryBytes } from '../scheduling/memory-budget.ts';
import { readFileSync } from 'node:fs';

/** Logs the builds of the HTTP server and the time-zone rules, and warns of missing network settings that hostile clients could exploit. */
export function logStartChecks({ http: { host } }: { http: { host: string } }, log: Log): void {
  const { sha256, known, failures } = readAddonVersion();
  log.info('http server', {
    sha256,
    source: known?.source ?? 'not known',
    upstream: known?.upstream,
    notLoaded: failures.length > 0 ? failures.join('; ') : undefined,
  });
  log.info('time zones', { version: process.versions['tz'] });
  const zones = zoneRulesProblem();
  if (zones !== undefined) log.warn('time zones', { detail: `${zones.detail}. ${zones.advice}` });
  const unmet = isLoopback(host) ? [] : unmetKernelSettings();
  if (unmet.length > 0) {
    log.warn('kernel settings', { detail: `${unmet.join('; ')}. ${kernelAdvice}` });
  }
}

// The division of memory, with warnings if it is too small.

const mebibyte = 1024 * 1024;

/** The sections of the configuration that divide memory. */
interface MemoryConfig {
  cache: CacheSizes;
  render: { threadCount: number };
}

/** Logs the budget in mebibytes, with each cache of a process. */
export function logMemory({ cache, render }: MemoryConfig, log: Log): void {
  const memoryBytes = usableMemoryBytes();
  const budget = memoryBudget(cache, render.threadCount);
  const sizes = inMebibytes({ usable: memoryBytes, ...budget, ...cache });
  log.info('memory', { processes: render.threadCount, ...sizes });
  const problem = memoryProblem(memoryBytes, budget);
  if (problem !== undefined) log.warn('memory', { detail: problem });
}

/** `baseRendersBytesMax` becomes `baseRendersMib`. */
function inMebibytes(sizes: object): Record<string, number> {
  const named = Object.entries(sizes).map(([name, bytes]): [string, number] => [
    `${name.replace(/BytesMax$/, '')}Mib`,
    Math.round(Number(bytes) / mebibyte),
  ]);
  return Object.fromEntries(named);
}

// The network settings of this machine, compared with systemd/platen-sysctl.conf.

/** An expected setting of sysctl; `numbers` are those of its present value. */
interface KernelSetting {
  name: string;
  value: string;
  isMet: (numbers: readonly number[]) => boolean;
}

export const kernelSettings: readonly KernelSetting[] = [
  { name: 'net.ipv4.tcp_migrate_req', value: '1', isMet: ([on]) => on === 1 },
  {
    name: 'net.ipv4.tcp_notsent_lowat',
    value: '131072',
    isMet: ([bytes = 0]) => bytes <= 131_072,
  },
  {
    name: 'net.ipv4.tcp_wmem',
    value: '4096 16384 1048576',
    isMet: ([, , bytesMax = 0]) => bytesMax <= 1_048_576,
  },
  {
    name: 'net.ipv4.tcp_orphan_retries',
    value: '5',
    // 0 means 8.
    isMet: ([retries = 0]) => retries >= 1 && retries <= 5,
  },
];

/** Advice for missing settings. */
export const kernelAdvice =
  'Copy systemd/platen-sysctl.conf to /etc/sysctl.d/ and run "sysctl --system"; in a container give them as --sysctl. Or let nginx or Caddy face the public (deploy/).';

/** Differing settings as `name = value, expected value`; none if the kernel does not report them. */
export function unmetKernelSettings(
  read: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): string[] {
  return kernelSettings.flatMap(({ name, value, isMet }) => {
    let current: string;
    try {
      current = read(`/proc/sys/${name.replaceAll('.', '/')}`).trim();
    } catch {
      // Another system, or a kernel without the setting.
      return [];
    }
    if (isMet(current.split(/\s+/).map(Number))) return [];
    return [`${name} = ${current.replaceAll(/\s+/g, ' ')}, expected ${value}`];
  });
}

/** Whether an address is a loopback address. A proxy in front then reads answers fast and completely. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
