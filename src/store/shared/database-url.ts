/**
 * Parses the address of the shared database: `postgres://user:password@host:port/name`, with several hosts for a
 * failover.
 */

/** Servers of one database, of which one accepts writes. */
export interface DatabaseAddress {
  hosts: readonly { host: string; port: number }[];
  user: string;
  password: string | undefined;
  database: string;
  /** `require` encrypts; `verify-full` also checks the certificate and the host name. */
  sslMode: 'disable' | 'require' | 'verify-full';
}

const portDefault = 5432;
const hostsMax = 8;

const urlPattern =
  /^postgres(?:ql)?:\/\/([^:@/?#]+)(?::([^@/?#]*))?@([^@/?#]+)\/([^/?#]+)(?:\?sslmode=(disable|require|verify-full))?$/;
const hostPattern = /^(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/;

/** The parts of an address; undefined for any other text. */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  const [, user, password, hostList = '', database, sslMode = 'disable'] =
    urlPattern.exec(text) ?? [];
  const hosts = hostList.split(',').map((each) => {
    const [, host = '', port] = hostPattern.exec(each) ?? [];
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? portDefault) };
  });
  if (user === undefined || database === undefined || hosts.length > hostsMax) return undefined;
  if (hosts.some(({ host, port }) => host === '' || port < 1 || port > 65_535)) return undefined;
  try {
    return {
      hosts,
      user: decodeURIComponent(user),
      password: password === undefined ? undefined : decodeURIComponent(password),
      database: decodeURIComponent(database),
      sslMode: sslMode as DatabaseAddress['sslMode'],
    };
  } catch {
    return undefined;
  }
}
