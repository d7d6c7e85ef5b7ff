/** The text of anything thrown, for the log. */

/** The stack of an error where it has one: Node names the lines of the sources (`--enable-source-maps`). */
export function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
