/** The service cannot use the shared database until an operator changes something. The message says what to change. */
export class SharedDatabaseError extends Error {
  override name = 'SharedDatabaseError';
}
