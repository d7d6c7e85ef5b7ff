/** The settings of restarts, and the environment that systemd sets. */
import { Type } from 'typebox';

/** See docs/operations.md, "Restart without a failed request". */
export const processSchema = Type.Object({
  portShared: Type.Boolean({
    env: 'PLATEN_PORT_SHARED',
    default: false,
    expected: 'true or false',
    description:
      'Whether another process of the same user may listen on the same port (SO_REUSEPORT). One can then replace the other without a failed request. Without it a second start reports that the port is in use.',
  }),
  shutdownDelayMs: Type.Integer({
    env: 'PLATEN_SHUTDOWN_DELAY_MS',
    minimum: 0,
    maximum: 60_000,
    default: 0,
    expected: 'milliseconds from 0 to 60000',
    description:
      'How long the service accepts new connections after SIGTERM, while `/readyz` answers 503. Use two intervals of the load balancer’s health check.',
  }),
});

/** The expectations of systemd for a supervised service. */
export interface Supervision {
  /** Milliseconds after the last keep-alive message until systemd ends the process; undefined: no watchdog. */
  watchdogMs: number | undefined;
}

/**
 * Reads the variables of systemd (sd_notify(3), sd_watchdog_enabled(3)); undefined without a notification socket. `pid`
 * is this process: child processes inherit the variables of their parent.
 */
export function parseSupervision(
  environment: Readonly<Record<string, string | undefined>>,
  pid: number,
): Supervision | undefined {
  if ((environment['NOTIFY_SOCKET'] ?? '') === '') return undefined;
  const watchdogUs = Number(environment['WATCHDOG_USEC']);
  const isMeant = [undefined, '', String(pid)].includes(environment['WATCHDOG_PID']);
  return { watchdogMs: isMeant && watchdogUs > 0 ? watchdogUs / 1000 : undefined };
}
