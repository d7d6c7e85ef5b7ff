/** Loads the HTTP server's addon with the limits that it reads from the environment at that moment. */
import type { TemplatedApp } from 'uWebSockets.js';
import { setHeadBytesMax } from '../config.ts';

/** Bytes of a request head, URL included (contract, errors): the parser answers 431 to a longer one. */
const headBytesMax = 16_384;

setHeadBytesMax(headBytesMax);

// A static import would be evaluated before the line above.
const { App, SSLApp, ...rest } = await import('uWebSockets.js');

export const { us_listen_socket_close, us_socket_local_port } = rest;

/** A server that serves nothing yet; `tls` names PEM files. */
export function createApp(
  tls: { certificatePath: string; keyPath: string } | undefined,
): TemplatedApp {
  if (tls === undefined) return App();
  return SSLApp({ cert_file_name: tls.certificatePath, key_file_name: tls.keyPath });
}
