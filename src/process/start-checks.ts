/** What a start says of the machine and of the HTTP server's build. */
import { readAddonVersion } from '../http/addon-version.ts';
import { isLoopback, kernelAdvice, unmetKernelSettings } from './kernel-settings.ts';
import type { Log } from '../foundation/log.ts';

/** Logs the HTTP server's build, and warns of network settings that hostile readers could use. */
export function logStartChecks({ http: { host } }: { http: { host: string } }, log: Log): void {
  const { sha256, known } = readAddonVersion();
  log.info('http server', {
    sha256,
    source: known?.source ?? 'not known',
    upstream: known?.upstream,
  });
  const unmet = isLoopback(host) ? [] : unmetKernelSettings();
  if (unmet.length > 0) {
    log.warn('kernel settings', { detail: `${unmet.join('; ')}. ${kernelAdvice}` });
  }
}
