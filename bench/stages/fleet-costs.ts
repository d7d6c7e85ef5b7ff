/**
 * What a request costs the parts of a fleet: CPU time of HAProxy, of the thread that answers and of all of the service, for
 * new images and for images from memory. The constants of bench/scaling-model.ts. Needs haproxy, wrk and openssl.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endChildren, runChild, startChild, temporaryFolder } from '../harness/children.ts';
import { mainThreadCpuMs, treeCpuMs } from '../harness/cpu-time.ts';
import { askAll } from '../harness/keep-alive-load.ts';
import { nameOf } from '../harness/names.ts';
import { ask, freePort, startService, waitUntilWarm } from '../harness/service.ts';
import { runWrk } from '../harness/wrk.ts';

const newImages = 2000;
const hitSeconds = 4;

const folder = temporaryFolder();
const service = await startService({ threadCount: 1 });
await waitUntilWarm(service);
const { base, pid, tlsBase } = await startProxy(Number(new URL(service.base).port));

let firstName = 0;
/** Links to full names that were never used before. */
function newLinks(template: string, count: number): string[] {
  firstName += count;
  const first = firstName - count;
  return Array.from(
    { length: count },
    (_, index) => `/v1/render/${template}?name=${encodeURIComponent(nameOf(first + index))}`,
  );
}

async function measure(title: string, run: () => Promise<number>): Promise<void> {
  const times = (): number[] => [
    treeCpuMs(pid),
    mainThreadCpuMs(service.pid),
    treeCpuMs(service.pid),
  ];
  const before = times();
  const requests = await run();
  const [proxy, main, all] = times().map((ms, index) =>
    ((ms - (before[index] ?? 0)) / requests).toFixed(4),
  );
  console.log(
    `${title.padEnd(42)} proxy ${proxy} ms, thread that answers ${main} ms, service ${all} ms of CPU a request`,
  );
}

const connections = 64;
await askAll(base, connections, newLinks('welcome-banner.jpg', 400));
for (const template of ['welcome-banner.jpg', 'hello.png']) {
  for (const via of [base, service.base]) {
    await measure(`new ${template}, ${via === base ? 'through the proxy' : 'direct'}`, async () => {
      await askAll(via, connections, newLinks(template, newImages));
      return newImages;
    });
  }
}
const known = '/v1/render/welcome-banner.jpg?name=Amanda';
await ask(service, known, 20);
for (const [way, url] of Object.entries({
  'through the proxy': base,
  TLS: tlsBase,
  direct: service.base,
})) {
  await measure(`from memory, ${way}`, async () => {
    const perSecond = await runWrk({ url: url + known, seconds: hitSeconds });
    return perSecond * hitSeconds;
  });
}
await endChildren();

/** HAProxy with the file of deploy/, whose three nodes are one service. */
async function startProxy(
  servicePort: number,
): Promise<{ base: string; tlsBase: string; pid: number }> {
  const [port, tlsPort, metricsPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const certificate = join(folder, 'platen.pem');
  const subject = ['-subj', '/CN=images.example.com', '-days', '2', '-nodes'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  await runChild('openssl', [
    'req',
    '-x509',
    ...key,
    ...subject,
    '-keyout',
    certificate,
    '-out',
    `${certificate}.cert`,
  ]);
  writeFileSync(
    certificate,
    readFileSync(certificate) + readFileSync(`${certificate}.cert`, 'utf8'),
  );
  const deploy = join(import.meta.dirname, '../../deploy');
  const path = join(folder, 'haproxy.cfg');
  writeFileSync(
    path,
    readFileSync(join(deploy, 'haproxy.cfg'), 'utf8')
      .replace(/^ {2}(?:user|group) .*\n/gm, '')
      .replace('maxconn 20000', 'maxconn 1000')
      .replaceAll('/etc/haproxy/platen-link.lua', join(deploy, 'haproxy-link.lua'))
      .replace('/etc/haproxy/images.example.com.pem', certificate)
      .replace('bind :443', `bind 127.0.0.1:${port}\n  bind 127.0.0.1:${tlsPort}`)
      .replace('bind 127.0.0.1:8405', `bind 127.0.0.1:${metricsPort}`)
      .replaceAll(/10\.0\.0\.1\d:3000/g, `127.0.0.1:${servicePort}`),
  );
  const child = startChild('haproxy', ['-db', '-f', path], { stdio: 'ignore' });
  const started = { base: `http://127.0.0.1:${port}`, tlsBase: `https://127.0.0.1:${tlsPort}` };
  await ask({ ...service, base: started.base }, '/readyz', 20);
  return { ...started, pid: child.pid ?? 0 };
}
