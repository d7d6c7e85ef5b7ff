/** Starts the service: from its bundle, or from its sources where they are newer. */
import { findProgram } from './process/built-code.ts';

await import(findProgram('serve').href);
