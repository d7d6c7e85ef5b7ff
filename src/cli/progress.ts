/** Shows a progress bar on standard error, if this is a terminal. */
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /** Shows `done` of the total, which may change. */
  update(done: number, total?: number): void;
  /** Removes the bar. Must also be called after an error. */
  close(): void;
}

const noProgress: Progress = { update: () => undefined, close: () => undefined };

/** Interval between updates of the bar, in ms. */
const drawEveryMs = 100;

/** Shows the progress of work with `total` parts. `isQuiet`: the output is for a program, so no bar is shown. */
export function startProgress(label: string, total: number, isQuiet: boolean): Progress {
  if (isQuiet || !process.stderr.isTTY) return noProgress;
  const bar = new SingleBar(
    {
      stream: process.stderr,
      format: `${label}  {bar}  {value}/{total}  {eta_formatted}`,
      fps: 1000 / drawEveryMs,
      hideCursor: true,
      clearOnComplete: true,
      stopOnComplete: false,
      // The program handles signals; `stop` restores the cursor.
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  // The bar hides the cursor and must show it again, also after an interrupt.
  const stop = (): void => bar.stop();
  process.once('exit', stop);
  return {
    update(done, newTotal) {
      if (newTotal !== undefined) bar.setTotal(newTotal);
      bar.update(done);
    },
    close() {
      process.off('exit', stop);
      stop();
    },
  };
}
