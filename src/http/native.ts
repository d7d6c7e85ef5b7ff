/** Loads the HTTP server's addon, which reads its limits from the environment at that moment. */
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The addon with a setting that its types omit. */
type Addon = typeof import('uWebSockets.js') & { _cfg: (setting: 'silent') => void };

/** Bytes of a request head with its URL: the parser answers 431 to a longer one. */
const headBytesMax = 16_384;

// The addon reads the environment once, when it is loaded. Its default of 4,096 bytes is too short for nested image
// URLs.
// oxlint-disable-next-line node/no-process-env -- not read: handed to the native library
process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(headBytesMax);

// A static import would be evaluated before the line above.
const { App, SSLApp, _cfg, ...rest } = (await import('uWebSockets.js')) as Addon;

// Removes the header `uWebSockets: 20` from all responses of this thread (`Loop::setSilent`; not in the addon's types).
_cfg('silent');

export const { us_listen_socket_close, us_socket_local_port } = rest;

/** Creates a server without routes; `tls` names PEM files. */
export function createApp(
  tls: { certificatePath: string; keyPath: string } | undefined,
): TemplatedApp {
  if (tls === undefined) return App();
  return SSLApp({ cert_file_name: tls.certificatePath, key_file_name: tls.keyPath });
}

// Identifies the build of the HTTP server's addon: the package of the registry does not state its upstream version.

/** The data of a tested build. */
interface KnownAddon {
  /** Package and version of its source. */
  source: string;
  /** The release of uWebSockets.js that it contains, as far as it is known. */
  upstream: string;
  /**
   * It answers 505 to a request line that a packet boundary splits within ` HTTP/1.1` (uWebSockets issue 1776, fixed in
   * v20.70.0).
   */
  refusesCutLines: boolean;
}

const repacked: KnownAddon = {
  source: 'uws-pack 20.0.8',
  upstream: 'uWebSockets.js of 2024, before v20.52.0',
  refusesCutLines: true,
};

/** Builds for Node 22 (ABI 127) by SHA-256. A digest of an official release is added when it has been tested here. */
const knownAddons: ReadonlyMap<string, KnownAddon> = new Map([
  // Linux x64, Linux arm64, macOS arm64, macOS x64.
  ['8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af', repacked],
  ['d4c4f8b2c28c5f6544b49e36d91b0beee238a5b90a07904a947f77061c8b814d', repacked],
  ['abbeea53d48e21c01808203e9f9835728f2cea720d2e5b154837ee3045b513be', repacked],
  ['afd992dc1ca1e33cdc7ce0c72a60baf236e590a257fcecbbbce7bc1a35451387', repacked],
]);

/** The build in use; `known` is undefined for a build that was never tested here. */
interface AddonVersion {
  sha256: string;
  known: KnownAddon | undefined;
}

/** Reads the addon's file: 7 MB, some 10 ms. Throws if there is none for this system. */
export function readAddonVersion(): AddonVersion {
  const name = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
  const entry = import.meta.resolve('uWebSockets.js');
  // The repacked addon is in a folder, the official one beside its wrapper.
  const path = [`./bin/${name}`, `./${name}`]
    .map((file) => fileURLToPath(new URL(file, entry)))
    .find((each) => existsSync(each));
  if (path === undefined) throw new Error(`uWebSockets.js has no ${name}.`);
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  return { sha256, known: knownAddons.get(sha256) };
}

// Opens a TCP port, exclusively or shared with the succeeding process, and closes it.

/** The addon accepts an option between port and callback; its types declare that only without a host. */
interface OptionListener {
  listen(
    host: string,
    port: number,
    option: number,
    onListen: (socket: us_listen_socket | false) => void,
  ): void;
}

/**
 * Options of the socket library. Shared is SO_REUSEPORT: the kernel gives each new connection to one of the processes.
 */
const portOptions = { shared: 0, exclusive: 1 } as const;

/**
 * Listens on an address. An exclusive listen fails if the port is in use. A shared one fails unless every process there
 * shares it and has the same user. Rejects with a sentence that says what to do.
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
 * Closes a listening socket right after the event loop has accepted the waiting connections: the kernel resets those
 * still in its queue. `net.ipv4.tcp_migrate_req` covers the moment in between, because it passes such connections to
 * the other process (https://docs.kernel.org/networking/ip-sysctl.html).
 */
export function stopListening(socket: us_listen_socket): Promise<void> {
  return new Promise((resolve) => {
    // The first turn makes the loop poll without other work to do; the second follows that poll at once.
    setImmediate(() =>
      setImmediate(() => {
        us_listen_socket_close(socket);
        resolve();
      }),
    );
  });
}
