/** The text of a thrown value, for the log. */

/** The stack of an error if it has one. Node names source lines (`--enable-source-maps`). */
export function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
