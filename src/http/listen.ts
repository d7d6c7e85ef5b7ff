/** Takes a TCP port, for one process alone or together with the one that follows it, and leaves it. */
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { us_listen_socket_close } from './native.ts';

/** The addon takes an option between port and callback; its own types know that only without a host. */
interface OptionListener {
  listen(
    host: string,
    port: number,
    option: number,
    onListen: (socket: us_listen_socket | false) => void,
  ): void;
}

/** Options of the socket library. Shared is SO_REUSEPORT: the kernel gives each new connection to one of the processes. */
const portOptions = { shared: 0, exclusive: 1 } as const;

/**
 * Listens on an address. Exclusively the port is refused when it is taken; shared it is, unless every process
 * there asked for that and has the same user. Rejects with a sentence that says what to do.
 */
export function listen(
  app: TemplatedApp,
  host: string,
  port: number,
  isShared: boolean,
): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    const onListen = (socket: us_listen_socket | false): void => {
      if (socket !== false) return resolve(socket);
      reject(
        new Error(
          `Cannot listen on ${host}, port ${port}: it is in use or not permitted. Choose another with PLATEN_PORT, or stop the process that holds it.`,
        ),
      );
    };
    const option = isShared ? portOptions.shared : portOptions.exclusive;
    (app as unknown as OptionListener).listen(host, port, option, onListen);
  });
}

/**
 * Closes a listening socket right after the event loop has accepted what was waiting: the kernel resets whatever
 * is still in the queue. The instant between is covered by `net.ipv4.tcp_migrate_req`, which hands such
 * connections to the other process (https://docs.kernel.org/networking/ip-sysctl.html).
 */
export function stopListening(socket: us_listen_socket): Promise<void> {
  return new Promise((resolve) => {
    // The first turn lets the loop poll without other work at hand, the second follows that poll at once.
    setImmediate(() =>
      setImmediate(() => {
        us_listen_socket_close(socket);
        resolve();
      }),
    );
  });
}
