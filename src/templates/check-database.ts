/** A process that checks the structure of a database file once; it writes the first problem to its standard output. */
import { setPriority } from 'node:os';
import { findProblem } from './database-problem.ts';

// Behind everything that answers.
setPriority(19);
process.stdout.write(findProblem(process.argv[2] ?? '') ?? '');
