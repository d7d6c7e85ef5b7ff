/** What it means that a render was lost with its process. */
import { AppError } from '../../foundation/errors.ts';

/**
 * Why a render was lost: `cpu`, it computed for longer than a render may; `stalled`, it neither computed nor answered;
 * `memory`, the heap of JavaScript was full, or the process was over its bound of memory; `killed`, by SIGKILL from outside, which is how the kernel takes memory
 * back; `crash`, a fault in native code; `exit`, anything else.
 */
export const lossCauses = ['cpu', 'stalled', 'memory', 'killed', 'crash', 'exit'] as const;
export type LossCause = (typeof lossCauses)[number];

/** The end of a process in the middle of a job. */
export class RenderLostError extends Error {
  override name = 'RenderLostError';
  readonly lossCause: LossCause;

  constructor(lossCause: LossCause, detail: string) {
    super(detail);
    this.lossCause = lossCause;
  }
}

/** What the caller of a lost render gets; why it was lost is for the log. */
export function lostError({ lossCause, message }: RenderLostError): AppError {
  const isTooLong = lossCause === 'cpu' || lossCause === 'stalled';
  const text = isTooLong
    ? 'The image takes more computing time than a render may.'
    : 'The render failed.';
  const options = { reason: 'lost', detail: message };
  return new AppError(isTooLong ? 'TIMEOUT' : 'INTERNAL', text, options);
}
