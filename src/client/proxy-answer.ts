/** Explains an error that a proxy sent in place of the service. */
import type { PlatenError } from './call.ts';

const reasons: Readonly<Record<number, string>> = {
  413: 'takes less than the service does. Ask its operator to let lists of 512 MiB pass to /v1/campaigns and tables of 256 MiB to /v1/tables/, as the files in deploy/ do; or send the list in parts.',
  502: 'got no answer of the service, or takes less than it does. Send it again. If small lists pass and this one does not, ask its operator to let lists of 512 MiB pass to /v1/campaigns and tables of 256 MiB to /v1/tables/, as the files in deploy/ do.',
  503: 'does not reach the service now. Send it again in some minutes. If that does not help, ask the operator.',
  504: 'did not wait until the service had read it. Ask its operator to wait 10 minutes on /v1/campaigns and /v1/tables/, as the files in deploy/ do; or send the list in parts.',
};

/**
 * A sentence on what happened to an upload of `bytes`, and what to do. Undefined for an error of the service itself, and
 * for a status that proxies do not send of their own.
 */
export function explainProxyAnswer(
  { status, proxy }: Pick<PlatenError, 'status' | 'proxy'>,
  bytes: number,
): string | undefined {
  const reason = reasons[status];
  if (proxy === undefined || reason === undefined) return undefined;
  const name = proxy === '' ? '' : ` (${proxy.slice(0, 40)})`;
  return `A proxy in front of the service${name} refused the list of ${formatSize(bytes)} with ${status}, and nothing of it is kept. The proxy ${reason}`;
}

function formatSize(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024);
  return mebibytes < 1 ? `${Math.ceil(bytes / 1024)} KiB` : `${mebibytes.toFixed(1)} MiB`;
}
