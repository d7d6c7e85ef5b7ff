/** The log: one JSON object a line, information on stdout, warnings and errors on stderr. */

export type LogLevel = 'info' | 'warn' | 'error';

/** What a line may carry. Never a variable's value, never a key. */
export type LogFields = Record<string, string | number | boolean | undefined>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** Characters kept of one field: a stack trace fits, a hostile detail cannot flood the log. */
const fieldCharactersMax = 4000;

/**
 * Creates a log that hands finished lines (without the line feed) to `write`. Time is ISO 8601 UTC;
 * fields that are undefined are left out, and line feeds are escaped by JSON, so that nobody can forge a line.
 */
export function createLog(write: (level: LogLevel, line: string) => void = writeStandard): Log {
  const line = (level: LogLevel, event: string, fields: LogFields = {}): void => {
    const record: LogFields = { time: new Date().toISOString(), level, event };
    for (const name of Object.keys(fields)) record[name] = boundField(fields[name]);
    write(level, JSON.stringify(record));
  };
  return {
    info: (event, fields) => line('info', event, fields),
    warn: (event, fields) => line('warn', event, fields),
    error: (event, fields) => line('error', event, fields),
  };
}

/** The private text of anything thrown, for a log field: the stack where there is one. */
export function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function boundField(value: LogFields[string]): LogFields[string] {
  if (typeof value !== 'string' || value.length <= fieldCharactersMax) return value;
  return `${value.slice(0, fieldCharactersMax)}…`;
}

// Whoever reads the log may go away (`npm start | head`); without a listener that would end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

function writeStandard(level: LogLevel, line: string): void {
  const stream = level === 'info' ? process.stdout : process.stderr;
  stream.write(`${line}\n`);
}
