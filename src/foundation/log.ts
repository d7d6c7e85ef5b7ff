/** The log: one JSON object a line, information on stdout, warnings and errors on stderr; it never makes the service wait. */

/** From the least to the most urgent. */
export const logLevels = ['info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

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
 * Bytes of lines that wait for whoever reads the log: some 3,000 lines, several seconds of a busy service. A
 * pipe that nobody empties would otherwise fill the memory.
 */
const backlogBytesMax = 1024 * 1024;

/**
 * Creates a log that hands finished lines (without the line feed) of `levelMin` and above to `write`. Time is
 * ISO 8601 UTC; fields that are undefined are left out, and line feeds are escaped by JSON, so that nobody can
 * forge a line.
 */
export function createLog(
  write: (level: LogLevel, line: string) => void = writeStandard,
  levelMin: LogLevel = 'info',
): Log {
  const rankMin = logLevels.indexOf(levelMin);
  const line = (level: LogLevel, event: string, fields: LogFields = {}): void => {
    if (logLevels.indexOf(level) < rankMin) return;
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

function boundField(value: LogFields[string]): LogFields[string] {
  if (typeof value !== 'string' || value.length <= fieldCharactersMax) return value;
  return `${value.slice(0, fieldCharactersMax)}…`;
}

// Whoever reads the log may go away (`npm start | head`); without a listener that would end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

let linesDropped = 0;
/** Dropped lines that the log has told of. */
let linesTold = 0;

/** Lines that were dropped since the start of the process, because too many waited for a reader. */
export function droppedLines(): number {
  return linesDropped;
}

/** One standard stream, and the lines of this turn of the event loop, which are written together. */
class LineWriter {
  readonly #stream: NodeJS.WriteStream;
  #lines = '';

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Keeps the line for the end of this turn, or drops it when too many wait. A write a line costs more than making it. */
  add(line: string): void {
    if (this.#stream.writableLength + this.#lines.length > backlogBytesMax) {
      linesDropped += 1;
      return;
    }
    if (this.#lines === '') setImmediate(() => this.flush());
    if (linesDropped > linesTold) {
      const count = linesDropped - linesTold;
      linesTold = linesDropped;
      const time = new Date().toISOString();
      this.#lines += `${JSON.stringify({ time, level: 'warn', event: 'log lines dropped', count })}\n`;
    }
    this.#lines += `${line}\n`;
  }

  flush(): void {
    if (this.#lines !== '') this.#stream.write(this.#lines);
    this.#lines = '';
  }
}

const output = new LineWriter(process.stdout);
const errors = new LineWriter(process.stderr);
process.on('exit', () => {
  output.flush();
  errors.flush();
});

/**
 * Writes to a standard stream, or drops the line when too many wait; the first line that has room again is
 * preceded by one that says how many are missing. Pipes and sockets are written in the background; only a
 * terminal, or a file on a slow disk, makes the caller wait. An error is out when this returns: it may be the last
 * that the process says.
 */
function writeStandard(level: LogLevel, line: string): void {
  if (level === 'info') return output.add(line);
  errors.add(line);
  if (level === 'error') errors.flush();
}
