/**
 * Connects to the running service that a command needs, for campaigns and data tables: the one at `--url`, or that of
 * this machine.
 */
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { listType } from '../client/list-files.ts';
import { PlatenClient, PlatenError } from '../client/platen-client.ts';
import { explainProxyAnswer } from '../client/proxy-answer.ts';
import { loadConfig } from '../settings.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import {
  convertErrors,
  parseServiceAddress,
  reachableHost,
  requireApiKey,
} from './service-client.ts';

/** Options of all commands that need a running service. */
export interface ServiceOptions {
  /** Default: the service of this machine. */
  url?: string;
}

export interface RunningService {
  client: PlatenClient;
  /** The base URL without a trailing slash. */
  address: string;
}

/** Timeout of uploads, progress streams and files: a week, so that large ones can finish. */
const callTimeoutMs = 7 * 24 * 60 * 60 * 1000;

/** Connects to the service. Throws a `CommandError` if no service answers, or without an API key. */
export async function openRunningService({ url }: ServiceOptions): Promise<RunningService> {
  const address = (url === undefined ? localAddress() : parseServiceAddress(url)).replace(
    /\/+$/,
    '',
  );
  const apiKey = requireApiKey();
  // Checked before an upload: if the service refuses during an upload, clients often see only a broken connection.
  await convertErrors(() =>
    new PlatenClient({ baseUrl: address, apiKey }).request('GET /v1/campaigns', {
      query: { limit: 1 },
    }),
  ).catch((error: unknown) => {
    const isMissing = error instanceof CommandError && error.exitCode === exitCodes.unavailable;
    if (url !== undefined || !isMissing) throw error;
    throw new CommandError(
      exitCodes.unavailable,
      `No service answers at ${address}, and this command needs one: start it with platen serve, or name one with --url.`,
    );
  });
  return {
    client: new PlatenClient({ baseUrl: address, apiKey, timeoutMs: callTimeoutMs }),
    address,
  };
}

/** The address of the service in this machine's configuration. */
function localAddress(): string {
  const { host, port, tlsCert } = loadConfig().http;
  if (tlsCert !== undefined) {
    throw new CommandError(
      exitCodes.usage,
      'The service of this machine answers by TLS, under a name that its settings do not say: name it with --url.',
    );
  }
  return `http://${reachableHost(host)}:${port}`;
}

/** Throws a `CommandError` unless `path` is a file. `given` is the path that the user wrote. */
export async function requireList(path: string, given: string): Promise<void> {
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isFile() === true) return;
  throw new CommandError(
    exitCodes.noInput,
    `There is no file ${given}: expected a list as CSV, TSV, JSON, XLSX, ODS or vCard.`,
  );
}

/** The content of a list and its media type, as calls take them. */
interface ListContent {
  bytes: Blob;
  contentType: string;
}

/** Sends a list with `send`. Converts errors of the service, and those of a proxy before it, into a `CommandError`. */
export async function sendList<Answer>(
  path: string,
  send: (content: ListContent) => Promise<Answer>,
): Promise<Answer> {
  const bytes = await openAsBlob(path);
  return convertErrors(async () => {
    try {
      return await send({ bytes, contentType: listType(path) });
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      const explained = explainProxyAnswer(error, bytes.size);
      if (explained === undefined) throw error;
      throw new PlatenError(explained, { status: error.status, cause: error });
    }
  });
}
