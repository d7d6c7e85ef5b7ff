/** Reports the state of the service to systemd: ready, alive, stopping. */
import { execFile } from 'node:child_process';
import type { Supervision } from './config.ts';
import type { Log } from '../foundation/log.ts';

/** Notifications for a supervisor; they do nothing without one. */
export interface Supervisor {
  /** The service accepts requests. Keep-alive messages follow if systemd expects them. */
  ready(): void;
  /** The service shuts down in order; systemd waits for the time that the unit sets. */
  stopping(): void;
}

/** Keep-alive messages in the watchdog time: two may be late or lost (sd_watchdog_enabled(3) recommends half). */
const signsPerTimeout = 3;

/** Time limit of one message, in ms. */
const notifyTimeoutMs = 10_000;

/**
 * Creates the notifier. Node has no Unix datagram sockets, so each message is a run of `systemd-notify`, which comes
 * with systemd and takes 3 ms. The unit must allow it with `NotifyAccess=all`. The main thread sends keep-alive
 * messages: if it hangs, systemd restarts the service.
 */
export function createSupervisor(supervision: Supervision | undefined, log: Log): Supervisor {
  if (supervision === undefined) return { ready: () => undefined, stopping: () => undefined };
  const notify = (message: string): void => {
    execFile('systemd-notify', [message], { timeout: notifyTimeoutMs }, (error) => {
      if (error === null) return;
      log.error('notify failed', {
        detail: `systemd-notify ${message}: ${error.message}. systemd will stop the service; install systemd-notify or set Type=exec and no WatchdogSec.`,
      });
    });
  };
  return {
    ready() {
      notify('READY=1');
      const { watchdogMs } = supervision;
      if (watchdogMs === undefined) return;
      setInterval(() => notify('WATCHDOG=1'), watchdogMs / signsPerTimeout).unref();
    },
    stopping: () => notify('STOPPING=1'),
  };
}
