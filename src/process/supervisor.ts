/** Tells systemd how the service is: ready, alive, stopping. */
import { execFile } from 'node:child_process';
import type { Supervision } from './config.ts';
import type { Log } from '../foundation/log.ts';

/** What a supervisor wants to hear; silent when there is none. */
export interface Supervisor {
  /** The service accepts requests. From now on signs of life follow, where they are asked for. */
  ready(): void;
  /** The service ends in order; systemd waits as long as its unit says. */
  stopping(): void;
}

/** Signs of life in the time after which systemd gives up: two may be late or lost (sd_watchdog_enabled(3) says half). */
const signsPerTimeout = 3;

/** Milliseconds that one message may take. */
const notifyTimeoutMs = 10_000;

/**
 * Creates what speaks to systemd. Node has no datagram sockets of the Unix family, so each message is a run of
 * `systemd-notify`, which is there wherever systemd is; it takes 3 ms, and the unit must allow it with
 * `NotifyAccess=all`. A sign of life is sent from the main thread: one that hangs sends none and is restarted.
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
