/** A reason why the service cannot use the shared database at all: a person must change something. */
export class SharedDatabaseError extends Error {
  override name = 'SharedDatabaseError';
}
