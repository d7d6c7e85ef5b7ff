/** Loads the HTTP server's addon with the limits that it reads from the environment at that moment. */
import type { TemplatedApp } from 'uWebSockets.js';

/** The addon with the setting that its types leave out. */
type Addon = typeof import('uWebSockets.js') & { _cfg: (setting: 'silent') => void };

/** Bytes of a request head, URL included (contract, errors): the parser answers 431 to a longer one. */
const headBytesMax = 16_384;

// The addon reads the environment once, when it is loaded. Its default of 4,096 bytes is too short for nested image URLs.
// oxlint-disable-next-line node/no-process-env -- not read: handed to the native library
process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(headBytesMax);

// A static import would be evaluated before the line above.
const { App, SSLApp, _cfg, ...rest } = (await import('uWebSockets.js')) as Addon;

// Leaves the header `uWebSockets: 20` out of every answer of this thread (`Loop::setSilent`; not in the addon's types).
_cfg('silent');

export const { us_listen_socket_close, us_socket_local_port } = rest;

/** A server that serves nothing yet; `tls` names PEM files. */
export function createApp(
  tls: { certificatePath: string; keyPath: string } | undefined,
): TemplatedApp {
  if (tls === undefined) return App();
  return SSLApp({ cert_file_name: tls.certificatePath, key_file_name: tls.keyPath });
}
