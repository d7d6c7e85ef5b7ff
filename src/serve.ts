/** The process: configuration, start, what it prints, signals and exit codes. */
import { errorText } from '#wire/error-text.ts';
import type { App, Listening } from './app.ts';
import { ConfigError, loadRemovedSettings, loadSupervision } from './config/config.ts';
import { loadConfig } from './settings.ts';
import { prepareDataDirectory, ReadOnlyFileSystemError } from './process/data-directory.ts';
import { endProcess } from './process/shutdown.ts';
import { createLog } from './foundation/log.ts';
import { createSupervisor } from './process/supervisor.ts';
import type { Supervisor } from './process/supervisor.ts';
import { SharedDatabaseError } from './store/database/shared-port.ts';

/** Exit codes, as in sysexits.h where there is one. */
const exitCodes = {
  stopped: 0,
  startFailed: 1,
  internal: 70,
  configuration: 78,
  /** 128 + SIGTERM: a second signal cut the orderly end short. */
  forced: 143,
} as const;

/** Milliseconds in which a repeated signal is the same request: `timeout` and process groups send it twice. */
const repeatedSignalMs = 1000;

let log = createLog();

process.on('uncaughtException', (error) => fail(errorText(error)));
// One forgotten promise says nothing about the others: it is reported, and the process goes on.
process.on('unhandledRejection', (reason) => log.error('bug', { detail: errorText(reason) }));

try {
  const config = loadConfig();
  log = createLog(undefined, config.log.level);
  for (const name of loadRemovedSettings()) {
    const detail = `${name} has no effect: the value is now a constant. Remove it from the environment.`;
    log.warn('setting removed', { detail });
  }
  const { dataDirectory } = config.templates;
  const data = prepareDataDirectory(dataDirectory, process.argv.includes('--init'));
  const { startRenderPool } = await import('./scheduling/warm-up.ts');
  const renderer = await startRenderPool(config, log);
  // The rest of the code is loaded while the render hosts load theirs.
  const { createApp } = await import('./app.ts');
  const app = await createApp(config, log, renderer, data);
  const supervisor = createSupervisor(loadSupervision(), log);
  stopOnSignals(app, supervisor);
  print(app, await app.listen());
  supervisor.ready();
} catch (error) {
  const isConfiguration = error instanceof ConfigError;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(isConfiguration ? `${message}\n` : `Platen cannot start. ${message}\n`);
  // Another start would fail in the same way: the supervisor must not restart the service.
  const isFinal =
    isConfiguration ||
    error instanceof ReadOnlyFileSystemError ||
    error instanceof SharedDatabaseError;
  process.exit(isFinal ? exitCodes.configuration : exitCodes.startFailed);
}

/** Says where to click, and the demo key on the start that made it. */
function print(app: App, { publicUrl, metricsPort }: Listening): void {
  const lines = [
    `Platen is ready after ${(performance.now() / 1000).toFixed(1)} s on ${publicUrl}/`,
    ...(app.firstLink === undefined ? [] : [`Try a link:  ${publicUrl}${app.firstLink}`]),
    ...(app.demoKey === undefined
      ? []
      : [`Demo API key of the organization demo, shown this once:  ${app.demoKey}`]),
    ...(metricsPort === undefined ? [] : [`Metrics on port ${metricsPort}, path /metrics`]),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The first signal ends the service in order, one that comes more than a second later at once. */
function stopOnSignals(app: App, supervisor: Supervisor): void {
  let stoppingSinceMs: number | undefined;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > repeatedSignalMs) endProcess(exitCodes.forced);
      return;
    }
    stoppingSinceMs = performance.now();
    log.info('stopping', { signal });
    supervisor.stopping();
    await app.close();
    log.info('stopped');
    process.exit(exitCodes.stopped);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

/** Ends a process that can no longer be trusted, at once; its supervisor starts a new one. */
function fail(reason: string): void {
  log.error('fatal', { detail: reason });
  endProcess(exitCodes.internal);
}
