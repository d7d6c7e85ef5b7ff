/** Opens connections to allowed addresses only. No other module opens a socket to an image host. */
import { constants } from 'node:crypto';
import type { LookupFunction, Socket } from 'node:net';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls, createSecureContext, TLSSocket } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { canonicalAddress } from './address-guard.ts';
import type { AddressGuard } from './address-guard.ts';
import { boundAnswers, boundReceivedBytes } from './bound-answers.ts';
import { ImageError, notPublic, secondsText } from '../image-error.ts';
import { toImageError } from './receive-body.ts';
import type { HostAddress, HostResolver } from './resolve-host.ts';
import type * as Undici from 'undici';

/** The target of a connection; `hostname` is a name, or an address literal without brackets. */
export interface ConnectTarget {
  hostname: string;
  protocol: string;
  port: string;
}

/** Opens checked connections and counts them. */
export interface GuardedConnector {
  /**
   * Connects, for https with TLS. Every address of the host must be allowed. The socket connects to these addresses
   * only, because a second look-up could answer differently (DNS rebinding). The remote address that the socket
   * reports must be one of them. Rejects with an `ImageError`: `dns`, `blocked`, `timeout`, `network`.
   * The caller owns the socket.
   */
  connect(target: ConnectTarget): Promise<Socket>;
  /** Whether the socket of an error had received bytes before the error, and so had been in use. */
  isFromUsedSocket(error: Error): boolean;
  /** Sockets that are open, idle ones included. */
  readonly openSockets: number;
}

export interface GuardedConnectorOptions {
  guard: AddressGuard;
  resolver: HostResolver;
  connectTimeoutMs: number;
}

/** How long one address is tried before the next (RFC 8305 section 5 recommends 250 ms). */
const addressAttemptMs = 250;

export function createGuardedConnector(options: GuardedConnectorOptions): GuardedConnector {
  let openSockets = 0;
  const errorsOfUsedSockets = new WeakSet<Error>();
  // Shared: it holds nothing of a host, and creating one costs a fifth of a failing handshake.
  // Each handshake that a server may ask for again costs 1 ms of CPU time.
  const secureContext = createSecureContext({ secureOptions: constants.SSL_OP_NO_RENEGOTIATION });
  return {
    get openSockets() {
      return openSockets;
    },
    isFromUsedSocket: (error) => errorsOfUsedSockets.has(error),
    async connect(target) {
      const deadline = createDeadline(options.connectTimeoutMs);
      try {
        const addresses = await Promise.race([
          checkedAddresses(options, target.hostname),
          deadline.passed,
        ]);
        const socket = openSocket(target, addresses, secureContext);
        openSockets++;
        socket.once('close', () => openSockets--);
        socket.on('error', (error) => {
          if (socket.bytesRead > 0) errorsOfUsedSockets.add(error);
        });
        try {
          await Promise.race([established(socket, addresses, options.guard), deadline.passed]);
          return socket;
        } catch (error) {
          socket.destroy();
          throw error;
        }
      } finally {
        deadline.clear();
      }
    },
  };
}

function createDeadline(timeoutMs: number): { passed: Promise<never>; clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const limit = secondsText(timeoutMs);
      reject(new ImageError('timeout', `could not be reached within ${limit}`));
    }, timeoutMs);
  });
  return { passed, clear: () => clearTimeout(timer) };
}

async function checkedAddresses(
  { guard, resolver }: GuardedConnectorOptions,
  hostname: string,
): Promise<HostAddress[]> {
  const addresses = await resolver.resolveHost(hostname);
  // One blocked address blocks the name: no honest image host mixes public and private addresses.
  if (!addresses.every(({ address }) => guard.isAllowed(address)))
    throw new ImageError('blocked', notPublic);
  return addresses;
}

function openSocket(
  { hostname, protocol, port }: ConnectTarget,
  addresses: HostAddress[],
  secureContext: SecureContext,
): Socket {
  const secure = protocol === 'https:';
  const common = {
    host: hostname,
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressAttemptMs,
    noDelay: true,
  };
  if (!secure) return connectTcp(common);
  return connectTls({
    ...common,
    secureContext,
    ALPNProtocols: ['http/1.1'],
    // RFC 6066 section 3: no address literals in SNI.
    servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '',
  });
}

/** Resolves when the socket can be written to and its other end is one of `addresses`. */
function established(socket: Socket, addresses: HostAddress[], guard: AddressGuard): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays as long as the socket: an error without a listener would end the process.
    socket.on('error', (error) => reject(connectionError(error)));
    // `connect` comes before the TLS handshake, so no byte is sent to a blocked address.
    socket.once('connect', () => {
      const remote = canonicalAddress(socket.remoteAddress ?? '');
      const isPinned = addresses.some(({ address }) => canonicalAddress(address) === remote);
      if (remote === undefined || !isPinned || !guard.isAllowed(remote))
        reject(new ImageError('blocked', notPublic));
      else if (!(socket instanceof TLSSocket)) resolve();
    });
    socket.once('secureConnect', resolve);
  });
}

function pinnedLookup(addresses: HostAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const first = addresses[0];
    if (options.all === true) callback(null, addresses);
    else if (first === undefined) callback(new Error('no address'), '', 4);
    else callback(null, first.address, first.family);
  };
}

function connectionError(error: NodeJS.ErrnoException): ImageError {
  if (error.code === 'ECONNREFUSED')
    return new ImageError('network', 'could not be reached: its server refuses connections', {
      cause: error,
    });
  const certificate = /CERT|ALTNAME|SELF_SIGNED|ISSUER|SIGNATURE/.test(error.code ?? '');
  return new ImageError(
    'network',
    certificate
      ? 'could not be reached: the certificate of its server is not valid'
      : 'could not be reached: the connection failed',
    { cause: error },
  );
}

// The HTTP client and its connections. The first fetch loads the 110 modules, which saves 60 ms at start.

/** undici, and the agent whose connections all fetches of a loader share. */
export interface HttpClient {
  undici: typeof Undici;
  agent: Undici.Dispatcher;
}

/** A client that loads on first use. */
export interface LazyHttpClient {
  load(): Promise<HttpClient>;
  /** Closes all connections; pending requests reject. */
  close(): Promise<void>;
}

/** Creates a client that opens its connections with `connector`. `bytesMax` bounds all bytes of one answer. */
export function createHttpClient(
  connector: GuardedConnector,
  bytesMax: number,
  options: Undici.Agent.Options,
): LazyHttpClient {
  let client: Promise<HttpClient> | undefined;
  const connect: Undici.buildConnector.connector = (target, callback) =>
    void openFor(connector, bytesMax, target, callback);
  return {
    load: () => (client ??= loadClient({ ...options, connect })),
    close: async () => (await client)?.agent.destroy(),
  };
}

async function openFor(
  connector: GuardedConnector,
  bytesMax: number,
  target: Undici.buildConnector.Options,
  callback: Undici.buildConnector.Callback,
): Promise<void> {
  let socket: Socket;
  try {
    socket = await connector.connect(target);
  } catch (error) {
    callback(toImageError(error), null);
    return;
  }
  boundReceivedBytes(socket, bytesMax);
  callback(null, socket);
}

async function loadClient(options: Undici.Agent.Options): Promise<HttpClient> {
  const undici = await import('undici');
  return { undici, agent: new undici.Agent(options).compose(boundAnswers) };
}
