/** How long PostgreSQL keeps the transaction of a node that says nothing: its machine may be cut off. */

/** One that may lock others. */
export const idleTransactionTimeout = '10s';
/** One that copies rows of a data table, and locks nobody: the disk of the node may be slow. */
export const idleCopyTimeout = '60s';
