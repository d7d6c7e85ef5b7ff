/** Checks of `platen doctor` on the service: native parts, fonts, certificate and port. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import type { RenderFormat } from '#wire/render-job.ts';
import { renderFormats } from '#wire/render-job.ts';
import type { Config } from '../../settings.ts';
import { readAddonVersion } from '../../http/native.ts';
import { isLoopback, kernelAdvice, unmetKernelSettings } from '../../process/start-checks.ts';
import { warmUpJob } from '../../scheduling/warm-up.ts';
import type { Check } from './data.ts';
import { errorMessage } from '../exit-codes.ts';
import { reachableHost } from '../service-client.ts';
import { withOfflinePool } from '../render/offline-renderer.ts';

const dayMs = 24 * 3600 * 1000;
/** Minimum days without a warning. Certificates are usually renewed a month before they expire. */
const certificateDaysGood = 14;

const adviceInstall =
  'Run npm install again on this machine: a folder that was copied from another one has the other one’s binaries.';

/** Loads the addon of the HTTP server and reports its build. */
export function checkServer(): Check[] {
  try {
    const { sha256, known, failures } = readAddonVersion();
    if (known !== undefined) {
      const newer = failures.map((each) => `; newer ones do not load: ${each}`).join('');
      const detail = `the HTTP server loads: ${known.source} (${known.upstream}), SHA-256 ${sha256}${newer}`;
      return [{ status: 'ok', detail }];
    }
    return [
      {
        status: 'warning',
        detail: `the HTTP server loads, but its build is not known: SHA-256 ${sha256}`,
        advice:
          'Compare the digest with that of the release, and run npm test (docs/operations.md).',
      },
    ];
  } catch (error) {
    return [{ status: 'problem', detail: errorMessage(error), advice: adviceInstall }];
  }
}

/** Checks the risks of a service without a proxy. A loopback address has none. */
export function checkExposure({ http: { host } }: Config): Check[] {
  if (isLoopback(host)) return [{ status: 'ok', detail: `${host}: only this machine reaches it` }];
  const unmet = unmetKernelSettings();
  const checks: Check[] = [];
  if (unmet.length > 0) {
    checks.push({ status: 'warning', detail: unmet.join('; '), advice: kernelAdvice });
  }
  if (readAddonVersion().known?.refusesCutLines === true) {
    checks.push({
      status: 'warning',
      detail:
        'the HTTP server answers 505 to links that a packet cuts within " HTTP/1.1", about 1 in 145 long ones; neither log nor metrics see it',
      advice:
        'Put nginx or Caddy in front (deploy/) and set PLATEN_HOST=127.0.0.1, or run Platen on a system with glibc 2.38 or later, such as Debian 13 (docs/operations.md).',
    });
  }
  return checks.length > 0 ? checks : [{ status: 'ok', detail: 'the network settings are there' }];
}

/** Renders text in every format in a render host, which needs all native parts and the fonts. */
export async function checkRenderer(config: Config): Promise<Check[]> {
  try {
    const failed = await withOfflinePool(config, async (pool, deadline) => {
      const outcomes = await Promise.all(
        renderFormats.map(async (format): Promise<[RenderFormat, string | undefined]> => {
          const { outcome } = await pool.run({ ...warmUpJob, format }, deadline());
          const warning = outcome.ok ? outcome.warnings[0]?.detail : outcome.detail;
          return [format, warning];
        }),
      );
      return outcomes.filter(([, problem]) => problem !== undefined);
    });
    if (failed.length === 0) {
      return [
        {
          status: 'ok',
          detail: `draws text as ${renderFormats.join(', ')}; ${availableParallelism()} cores`,
        },
      ];
    }
    const detail = failed.map(([format, problem]) => `${format}: ${problem ?? ''}`).join('; ');
    return [{ status: 'problem', detail, advice: adviceInstall }];
  } catch (error) {
    return [{ status: 'problem', detail: errorMessage(error), advice: adviceInstall }];
  }
}

/** Whether the certificate matches its key and does not expire soon; empty without a certificate. */
export function checkCertificate({ http }: Config): Check[] {
  const { tlsCert, tlsKey } = http;
  if (tlsCert === undefined || tlsKey === undefined) return [];
  const certificate = new X509Certificate(readFileSync(tlsCert));
  if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(tlsKey)))) {
    const advice = 'PLATEN_TLS_KEY must be the key of the first certificate in PLATEN_TLS_CERT.';
    return [{ status: 'problem', detail: `${tlsKey} is not the key of ${tlsCert}`, advice }];
  }
  const daysLeft = Math.floor((Date.parse(certificate.validTo) - Date.now()) / dayMs);
  const detail = `valid until ${new Date(certificate.validTo).toISOString().slice(0, 10)}`;
  if (daysLeft >= certificateDaysGood) return [{ status: 'ok', detail }];
  return [
    {
      status: daysLeft < 0 ? 'problem' : 'warning',
      detail,
      advice: 'Renew it, and restart the service: it reads the files when it starts.',
    },
  ];
}

/** Whether the port is free, or used by the service. */
export async function checkPort({ http }: Config): Promise<Check[]> {
  const { host, port } = http;
  if (port === 0) return [{ status: 'ok', detail: 'a free one is taken' }];
  const code = await tryPort(host, port);
  if (code === undefined) return [{ status: 'ok', detail: `${port} on ${host} is free` }];
  if (code === 'EADDRINUSE' && (await isPlaten(http))) {
    return [{ status: 'ok', detail: `${port} is taken by the service, which answers` }];
  }
  const advice: Record<string, string> = {
    EADDRINUSE: `Another program has it (ss -ltnp 'sport = :${port}' names it): end that, or set PLATEN_PORT.`,
    EACCES:
      'Ports below 1024 need a right: AmbientCapabilities=CAP_NET_BIND_SERVICE, or a proxy in front.',
    EADDRNOTAVAIL: 'PLATEN_HOST is no address of this machine.',
  };
  return [
    {
      status: 'problem',
      detail: `${port} on ${host} cannot be used (${code})`,
      advice: advice[code] ?? 'Choose another PLATEN_PORT or PLATEN_HOST.',
    },
  ];
}

/** The error code of listening on the port; undefined on success. */
function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)));
  });
}

/** Maximum time until a response, in ms. */
const answerTimeoutMs = 2000;

async function isPlaten({ host, port, tlsCert }: Config['http']): Promise<boolean> {
  const base = `${tlsCert === undefined ? 'http' : 'https'}://${reachableHost(host)}`;
  try {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    const answer = await fetch(`${base}:${port}/healthz`, { signal });
    return answer.headers.has('X-Request-Id');
  } catch (error) {
    // The certificate is not for localhost, but the error shows that the port has TLS.
    return tlsCert !== undefined && !String(error).includes('timeout');
  }
}
