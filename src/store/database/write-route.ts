/** Where this process's writes go: to its SQLite database, or through the database that several nodes share. */
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

/** Runs `action` when the write that calls this is stored: at once, except in a shared write. */
export function afterStored(action: () => void): void {
  if (waiting === undefined) action();
  else waiting.push(action);
}

/** Runs a shared write, and returns the actions that wait until it is stored. */
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
