/** Output of commands: results on standard output, as text or JSON, and everything else on standard error. */
import { styleText } from 'node:util';
import type { ExitCode } from './exit-codes.ts';

type Style = Parameters<typeof styleText>[0];

export interface Terminal {
  /** True with `--json`: standard output then carries only the result as JSON. */
  readonly isJson: boolean;
  /** True if the user can answer questions. */
  readonly isInteractive: boolean;
  /** Writes the only result of a command: `value` as JSON, or `text`. */
  result(value: object, text: string): void;
  /** Writes to standard error, except with `--json`. */
  note(text: string): void;
  /** Writes to standard error, also with `--json`. */
  warn(text: string): void;
  /**
   * Reports the error of a command on standard error. With `--json`, writes `{"error","exitCode"}` to standard output
   * instead.
   */
  fail(failure: { exitCode: ExitCode; message: string }): void;
}

// The reader of a pipe may end first (`platen … | head`). Without a listener, the command would crash with a stack.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

export function createTerminal(isJson: boolean): Terminal {
  return {
    isJson,
    isInteractive: process.stdin.isTTY && process.stderr.isTTY,
    result: (value, text) => write(process.stdout, isJson ? JSON.stringify(value) : text),
    note: (text) => {
      if (!isJson) write(process.stderr, text);
    },
    warn: (text) =>
      write(process.stderr, `${colored('yellow', 'warning:', process.stderr)} ${text}`),
    fail({ exitCode, message }) {
      if (isJson) write(process.stdout, JSON.stringify({ error: message, exitCode }));
      else write(process.stderr, `${colored('red', 'error:', process.stderr)} ${message}`);
    },
  };
}

function write(stream: NodeJS.WriteStream, text: string): void {
  if (text !== '') stream.write(`${text}\n`);
}

/** Styles a text if `stream` is a terminal that supports it. Node reads NO_COLOR and FORCE_COLOR. */
export function colored(
  style: Style,
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  return styleText(style, text, { stream, validateStream: true });
}

/** Formats rows under headings in columns, two spaces apart. No line ends in spaces. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [colored('bold', line(headings)), ...rows.map(line)].join('\n');
}

/** `1 template`, `2 templates`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The inputs of every command besides its arguments. */
export interface Invocation {
  terminal: Terminal;
  /** The user's working directory. Paths in arguments are relative to it. */
  startDirectory: string;
  /** Sets work to do before an interrupt ends the program. A second interrupt ends it immediately. */
  onInterrupt: (work: () => Promise<void>) => void;
}
