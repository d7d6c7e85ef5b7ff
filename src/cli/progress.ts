/** A bar on the terminal while something takes long; nothing at all where standard error is no terminal. */
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /** `done` of the total; the total may change on the way. */
  update(done: number, total?: number): void;
  /** Takes the bar away. To be called however it ends. */
  close(): void;
}

const noProgress: Progress = { update: () => undefined, close: () => undefined };

/** Milliseconds between two drawings of the bar. */
const drawEveryMs = 100;

/** Shows how far something of `total` parts is. `isQuiet` for commands whose output a machine reads. */
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
      // Signals are the program's; see below.
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  // The bar hides the cursor, which must come back also when the command is interrupted.
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
