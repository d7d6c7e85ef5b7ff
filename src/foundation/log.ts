/** The log: one JSON object a line, information on stdout, the rest on stderr. It never waits for a slow reader. */

/** From the least to the most urgent. */
export const logLevels = ['info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Fields of a line. Never a value of a variable, never a key. */
export type LogFields = Record<string, string | number | boolean | undefined>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** Characters of one field: a stack trace fits, and a hostile detail cannot flood the log. */
const fieldCharactersMax = 4000;

/**
 * Upper bound in bytes of lines that wait for the reader of the log: some 3,000 lines, several seconds of a busy
 * service. Without a bound, a pipe that is not read would fill the memory.
 */
const backlogBytesMax = 1024 * 1024;

/**
 * Creates a log that passes lines of `levelMin` and above to `write`, without the line feed. Time is ISO 8601
 * UTC. Undefined fields are left out. JSON escapes line feeds, so that no field can forge a line.
 */
export function createLog(
  write: (level: LogLevel, line: string) => void = writeStandard,
  levelMin: LogLevel = 'info',
): Log {
  const rankMin = logLevels.indexOf(levelMin);
  const line = (level: LogLevel, event: string, fields: LogFields = {}): void => {
    if (logLevels.indexOf(level) < rankMin) return;
    // An object of equal fields for each event: V8 writes it in half the time of one that is filled name by name.
    const record = { time: new Date().toISOString(), level, event, ...boundFields(fields) };
    write(level, JSON.stringify(record));
  };
  return {
    info: (event, fields) => line('info', event, fields),
    warn: (event, fields) => line('warn', event, fields),
    error: (event, fields) => line('error', event, fields),
  };
}

/** The same object if no field is too long. */
function boundFields(fields: LogFields): LogFields {
  for (const name of Object.keys(fields)) {
    if (fields[name] === boundField(fields[name])) continue;
    return Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, boundField(value)]),
    );
  }
  return fields;
}

function boundField(value: LogFields[string]): LogFields[string] {
  if (typeof value !== 'string' || value.length <= fieldCharactersMax) return value;
  return `${value.slice(0, fieldCharactersMax)}…`;
}

// The reader of the log may exit (`npm start | head`); without a listener its error would end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

let linesDropped = 0;
/** Dropped lines that the log has reported. */
let linesReported = 0;

/** Lines dropped since the start of the process, because too many waited for the reader. */
export function droppedLines(): number {
  return linesDropped;
}

/** Milliseconds for which a line may wait for others: a write for each line costs more than making the line. */
const flushAfterMs = 50;
/** Characters of lines that are written at once. */
const flushCharactersMax = 64 * 1024;

/** One standard stream, whose lines are written together. */
class LineWriter {
  readonly #stream: NodeJS.WriteStream;
  #lines = '';

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Adds the line to the next write, or drops it if too many wait. */
  add(line: string): void {
    if (this.#stream.writableLength + this.#lines.length > backlogBytesMax) {
      linesDropped += 1;
      return;
    }
    if (this.#lines === '') setTimeout(() => this.flush(), flushAfterMs).unref();
    if (linesDropped > linesReported) {
      const count = linesDropped - linesReported;
      linesReported = linesDropped;
      const time = new Date().toISOString();
      this.#lines += `${JSON.stringify({ time, level: 'warn', event: 'log lines dropped', count })}\n`;
    }
    this.#lines += `${line}\n`;
    if (this.#lines.length > flushCharactersMax) this.flush();
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
 * Writes to a standard stream, or drops the line if too many wait. A line with the number of dropped lines follows
 * when the stream accepts lines again. Pipes and sockets are written in the background; a terminal or a file on a
 * slow disk blocks the caller. An error is written at once, with all lines before it: it may be the last of the process.
 */
function writeStandard(level: LogLevel, line: string): void {
  if (level === 'info') return output.add(line);
  errors.add(line);
  if (level !== 'error') return;
  output.flush();
  errors.flush();
}
