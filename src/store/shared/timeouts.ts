/** Maximum idle time of a transaction in PostgreSQL, because the machine of the node may be cut off. */

/** For a transaction that may hold locks. */
export const idleTransactionTimeout = '10s';
/** For a transaction that copies rows of a data table and holds no locks: the node's disk may be slow. */
export const idleCopyTimeout = '60s';
