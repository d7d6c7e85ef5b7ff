/** Loads the HTTP server's addon with the limits that it reads from the environment at that moment. */
import { setHeadBytesMax } from '../config.ts';

/** Bytes of a request head, URL included (contract, errors): the parser answers 431 to a longer one. */
const headBytesMax = 16_384;

setHeadBytesMax(headBytesMax);

// A static import would be evaluated before the line above.
export const { App, SSLApp, us_listen_socket_close, us_socket_local_port } =
  await import('uWebSockets.js');
