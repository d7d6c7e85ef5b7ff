/** The parts behind the port that need PostgreSQL's client: the port loads them on demand. */
export { connect, requireSession, toCallerError } from './connection.ts';
export { FileSource } from './file-source.ts';
export { moveToPostgres, moveToSqlite } from './move-database.ts';
export { findHead } from './shared-schema.ts';
