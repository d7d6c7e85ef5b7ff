/** Finds, loads and identifies the HTTP server's addon; creates its servers, and opens and closes their ports. */
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The functions in use. The types of the package lack `_cfg`, and give a port as an object. */
type Addon = Pick<typeof import('uWebSockets.js'), 'App' | 'SSLApp' | 'us_listen_socket_close'> & {
  _cfg: (setting: 'silent') => void;
  us_socket_local_port: (socket: us_listen_socket) => number;
};

/** An addon that this process has loaded. */
interface LoadedAddon {
  addon: Addon;
  path: string;
  packageName: string;
  /** Why the packages before it do not load. */
  failures: string[];
}

/**
 * Packages with builds, in the order in which they are tried. The newest build needs glibc 2.38. An official release of
 * uWebSockets.js replaces the first package (docs/operations.md).
 */
export const addonPackages: readonly string[] = ['uWebSockets.js', 'uws-pack'];

const fileName = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;

/** Bytes of a request head with its URL: the parser answers 431 to a longer one. */
const headBytesMax = 16_384;

let loaded: LoadedAddon | undefined;

/** Loads the newest build that this system can load. Throws if there is none. */
export function loadAddon(): LoadedAddon {
  loaded ??= loadFirst();
  return loaded;
}

function loadFirst(): LoadedAddon {
  // The addon reads the environment once, when it is loaded. Its default of 4,096 bytes is too short for nested image
  // URLs.
  // oxlint-disable-next-line node/no-process-env -- not read: handed to the native library
  process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(headBytesMax);
  const requireFile = createRequire(import.meta.url);
  const failures: string[] = [];
  for (const packageName of addonPackages) {
    try {
      const path = findFile(packageName);
      const addon = requireFile(path) as Addon;
      const { _cfg: configure } = addon;
      // Removes the header `uWebSockets: 20` from all responses of this thread (`Loop::setSilent`).
      configure('silent');
      return { addon, path, packageName, failures };
    } catch (error) {
      failures.push(`${packageName}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`No build of the HTTP server loads on this system. ${failures.join('; ')}`);
}

/** The addon of a package: `uws-pack` has it in a folder, other packages beside their entry. */
function findFile(packageName: string): string {
  const entry = import.meta.resolve(packageName);
  const path = [`./bin/${fileName}`, `./${fileName}`]
    .map((file) => fileURLToPath(new URL(file, entry)))
    .find((each) => existsSync(each));
  if (path === undefined) throw new Error(`there is no ${fileName}`);
  return path;
}

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

const forked: KnownAddon = {
  source: '@btc-vision/uwebsockets.js 20.57.0',
  upstream: 'uWebSockets.js v20.57.0, built by a fork',
  refusesCutLines: false,
};

const repacked: KnownAddon = {
  source: 'uws-pack 20.0.8',
  upstream: 'uWebSockets.js of 2024, before v20.52.0',
  refusesCutLines: true,
};

/** Builds for Node 22 (ABI 127) by SHA-256. A digest of an official release is added when it has been tested here. */
const knownAddons: ReadonlyMap<string, KnownAddon> = new Map([
  // Linux x64, Linux arm64, macOS arm64, macOS x64, Windows x64.
  ['4b55b1f2cb7a7913febbb65a89496412b96af77e838552980092ba6b33723aac', forked],
  ['82b79bd18d1e3563de336156005bd01b7f39fc387b65173d69a29da4ee79f895', forked],
  ['6180345d453e2e113feb2b0d76376493cd6a90056c3483fc22de7b0c340dc231', forked],
  ['fd551673f3ce1f104d7cec3ba8f628d9d04853eff1045c9d95983372ed90bca0', forked],
  ['b4fa85dd015d6d32655f75e9d5b2480124b7649d9265a2b84d8dafe37f88f838', forked],
  ['8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af', repacked],
  ['d4c4f8b2c28c5f6544b49e36d91b0beee238a5b90a07904a947f77061c8b814d', repacked],
  ['abbeea53d48e21c01808203e9f9835728f2cea720d2e5b154837ee3045b513be', repacked],
  ['afd992dc1ca1e33cdc7ce0c72a60baf236e590a257fcecbbbce7bc1a35451387', repacked],
  ['585d6ee2dbfc750b1d5a59e6ceaef8a977e90ef3e298a82821d58b41cd72a8c0', repacked],
]);

/** The build in use; `known` is undefined for a build that was never tested here. */
interface AddonVersion {
  sha256: string;
  known: KnownAddon | undefined;
  /** Why newer builds do not load. */
  failures: readonly string[];
}

/** Whether a digest is that of a build that was tested here. */
export function isTestedAddon(sha256: string): boolean {
  return knownAddons.has(sha256);
}

/** Reads the addon's file: 7 MB, some 10 ms. Throws if no build loads. */
export function readAddonVersion(): AddonVersion {
  const { path, failures } = loadAddon();
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  return { sha256, known: knownAddons.get(sha256), failures };
}

/** Creates a server without routes; `tls` names PEM files. */
export function createApp(
  tls: { certificatePath: string; keyPath: string } | undefined,
): TemplatedApp {
  const { App, SSLApp } = loadAddon().addon;
  if (tls === undefined) return App();
  return SSLApp({ cert_file_name: tls.certificatePath, key_file_name: tls.keyPath });
}

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
        loadAddon().addon.us_listen_socket_close(socket);
        resolve();
      }),
    );
  });
}
