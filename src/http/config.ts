/** The settings of the HTTP server. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { ServerOptions } from './server.ts';

/** The address of the service, and the proxy in front of it. */
export const httpSchema = Type.Object({
  port: Type.Integer({
    env: 'PLATEN_PORT',
    minimum: 0,
    maximum: 65535,
    default: 3000,
    expected: 'a port from 0 to 65535',
    description: 'TCP port of the service. 0 chooses a free one.',
  }),
  host: Type.String({
    env: 'PLATEN_HOST',
    pattern: '^[0-9A-Za-z.:-]{1,253}$',
    default: '0.0.0.0',
    expected: 'an address or a host name',
    description: 'Address to listen on.',
  }),
  publicUrl: Type.Optional(
    Type.String({
      env: 'PLATEN_PUBLIC_URL',
      pattern: '^https?://[^\\s/?#]+(/[^\\s/?#]+)*$',
      expected: 'a URL such as https://images.example.com, without a slash at its end',
      description:
        'Public address of the service, for links in answers and on the console. Default: the address of each request, and http://localhost:<port> on the console.',
    }),
  ),
  tlsCert: Type.Optional(
    Type.String({
      env: 'PLATEN_TLS_CERT',
      minLength: 1,
      expected: 'the path of a readable PEM file, together with PLATEN_TLS_KEY',
      description: 'Certificate chain. With PLATEN_TLS_KEY the service serves TLS itself.',
    }),
  ),
  tlsKey: Type.Optional(
    Type.String({
      env: 'PLATEN_TLS_KEY',
      minLength: 1,
      expected: 'the path of a readable PEM file, together with PLATEN_TLS_CERT',
      description: 'Private key of the certificate.',
    }),
  ),
  metricsPort: Type.Optional(
    Type.Integer({
      env: 'PLATEN_METRICS_PORT',
      minimum: 0,
      maximum: 65535,
      expected: 'a port from 0 to 65535',
      description: 'Port of /metrics. Not set: no metrics are served.',
    }),
  ),
  metricsHost: Type.Optional(
    Type.String({
      env: 'PLATEN_METRICS_HOST',
      pattern: '^[0-9A-Za-z.:-]{1,253}$',
      expected: 'an address or a host name',
      description:
        'Address on which /metrics is served. Only the scraper should reach it. Default: that of PLATEN_HOST.',
    }),
  ),
  trustedProxies: Type.Array(Type.String(), {
    env: 'PLATEN_TRUSTED_PROXIES',
    maxItems: 100,
    default: [],
    expected: 'comma-separated addresses or CIDR ranges such as 10.1.0.0/16',
    description:
      'Proxies whose `X-Forwarded-For` is believed, for the limits on requests and on invalid API keys from one address, and whose `X-Forwarded-Proto` is, for addresses in answers.',
  }),
  corsOrigins: Type.Array(Type.String({ pattern: '^https?://[a-z0-9.-]+(:\\d{1,5})?$' }), {
    env: 'PLATEN_CORS_ORIGINS',
    maxItems: 100,
    default: [],
    expected:
      'comma-separated origins such as https://tools.example.com, in lower case and without a path',
    description:
      'Origins whose pages may call the API of organizations in a browser (CORS). Each user of such a page needs a key.',
  }),
  embedOrigins: Type.Array(Type.String({ pattern: '^https?://[a-z0-9.-]+(:\\d{1,5})?$' }), {
    env: 'PLATEN_EMBED_ORIGINS',
    maxItems: 100,
    default: [],
    expected:
      'comma-separated origins such as https://app.example.com, in lower case and without a path',
    description:
      'Origins whose pages may show the studio in a frame, with an embed token. Not set: no page may.',
  }),
  connectionsMax: Type.Integer({
    env: 'PLATEN_CONNECTIONS_MAX',
    minimum: 64,
    maximum: 1_000_000,
    default: 10_000,
    expected: 'a whole number from 64 to 1000000',
    description:
      'Connections at a time; the next one is closed at once. Fewer where the limit on open files, less 600, is lower. Each may hold a request head of 16 KiB. In the kernel it may hold 4 MiB of an answer that its client does not read, or 0.2 with platen-sysctl.conf. A proxy limits those of one address.',
  }),
});

/** The option of a server that speaks TLS, where both files are given. */
export function tlsFiles({
  tlsCert,
  tlsKey,
}: Static<typeof httpSchema>): Pick<ServerOptions, 'tls'> {
  if (tlsCert === undefined || tlsKey === undefined) return {};
  return { tls: { certificatePath: tlsCert, keyPath: tlsKey } };
}
