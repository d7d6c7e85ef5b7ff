/** Routes the writes of this process to its SQLite database, or through the database that several nodes share. */
/** Carries writes of one connection to the shared database. */
export interface WriteRoute {
  /** The connection. */
  db: object;
  /** Runs `write` on the newest state and resolves with its result when it is stored. Rejects with a `StoreError`. */
  write<Result>(write: () => Result): Promise<Result>;
  /** Takes an optional write, which may get lost. False if it cannot be stored now. */
  note(write: () => void): boolean;
}

let current: WriteRoute | undefined;
let waiting: (() => void)[] | undefined;

/** Sets the route of this thread; undefined ends it. A process has one database. */
export function routeWrites(route: WriteRoute | undefined): void {
  current = route;
}

/** The route of this thread; undefined without a shared database. */
export function writeRoute(): WriteRoute | undefined {
  return current;
}

/** Runs `action` when the calling write is stored: in a shared write after its commit, else at once. */
export function afterStored(action: () => void): void {
  if (waiting === undefined) action();
  else waiting.push(action);
}

/** Runs a shared write and returns its actions, which the caller runs after the commit. */
export function collectActions(write: () => void): (() => void)[] {
  const actions: (() => void)[] = [];
  const outer = waiting;
  waiting = actions;
  try {
    write();
  } finally {
    waiting = outer;
  }
  return actions;
}
