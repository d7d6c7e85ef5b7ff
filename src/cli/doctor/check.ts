/** What one check of `platen doctor` has found. */
export interface Check {
  /** Filled in by the command. */
  name?: string;
  /** A warning may be meant to be so; a problem keeps the service from starting, or will end it. */
  status: 'ok' | 'warning' | 'problem';
  /** What is there. */
  detail: string;
  /** What to do. */
  advice?: string;
}
