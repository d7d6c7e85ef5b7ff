/** The service of a command: its address, its key, and the exit codes of its errors. */
import { PlatenError } from '../client/platen-client.ts';
import { loadConfig } from '../settings.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';

/** Exit codes of some statuses (RFC 9110); 0 means no response. */
const codesByStatus: Readonly<Record<number, ExitCode>> = {
  0: exitCodes.unavailable,
  401: exitCodes.noPermission,
  403: exitCodes.noPermission,
  429: exitCodes.unavailable,
};

/** The normalized address. Throws a `CommandError` for an invalid one, and for one with a user name or password. */
export function parseServiceAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CommandError(
      exitCodes.usage,
      `"${address}" is no address of a service: expected one such as https://images.example.com.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new CommandError(
      exitCodes.usage,
      'The address holds a user name or a password, which the list of processes shows to everybody: the key belongs into PLATEN_API_KEY.',
    );
  }
  return url.href;
}

/** The host for URLs of a service that listens on `host`. */
export function reachableHost(host: string): string {
  // By IP address, because a small container may have no file that resolves `localhost`.
  const address = host === '0.0.0.0' ? '127.0.0.1' : host.replace(/^::$/, '::1');
  return address.includes(':') ? `[${address}]` : address;
}

/** The key in `PLATEN_API_KEY`. Throws a `CommandError` without one. */
export function requireApiKey(): string {
  const { apiKey } = loadConfig().commands;
  if (apiKey !== undefined) return apiKey;
  throw new CommandError(
    exitCodes.noPermission,
    'A service asks for a key: set PLATEN_API_KEY. It is no option, because the list of processes shows options to everybody.',
  );
}

/** The result of a call. Converts errors of the service into a `CommandError`. */
export async function convertErrors<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw toCommandError(error);
  }
}

export function toCommandError(error: unknown): unknown {
  if (!(error instanceof PlatenError)) return error;
  const { status, message, details } = error;
  const exitCode =
    codesByStatus[status] ?? (status >= 500 ? exitCodes.unavailable : exitCodes.problems);
  const lines = details.map((detail) => `  ${detail.path} ${detail.message}`);
  return new CommandError(exitCode, [message, ...lines].join('\n'));
}
