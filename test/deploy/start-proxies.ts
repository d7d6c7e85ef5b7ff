/** Starts the proxies of `deploy/` with the files of that folder, and ports in place of addresses. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Test } from 'tap';
import { eventually, freePort } from '../e2e/service.ts';
import { makeCertificate } from '../fixtures/images-tls.ts';

/** The folder of the files that are tested. */
export const deploy = join(import.meta.dirname, '../../deploy');

/** Options of a test that needs a program. */
export const needs = (program: string, flag: string): { skip?: string } =>
  spawnSync(program, [flag]).status === 0 ? {} : { skip: `${program} is not installed` };

/** Where Debian's package libnginx-mod-http-js puts it. */
const nginxScripts = '/usr/lib/nginx/modules/ngx_http_js_module.so';

/** Options of a test of nginx with a script. */
export const needsNginxScripts: { skip?: string } = existsSync(nginxScripts)
  ? needs('nginx', '-v')
  : { skip: 'libnginx-mod-http-js is not installed' };

/** Starts a proxy that is ended with the test, and waits until its port answers. */
export async function startProxy(
  t: Test,
  port: number,
  program: string,
  args: string[],
  home: string,
): Promise<void> {
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let reported = '';
  child.stderr.on('data', (chunk: Buffer) => (reported += chunk.toString()));
  t.teardown(() => void child.kill('SIGTERM'));
  const answers = await eventually(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connectPlain(port, '127.0.0.1');
        socket.on('error', () => resolve(false));
        socket.on('connect', () => {
          socket.destroy();
          resolve(true);
        });
      }),
  );
  if (!answers) throw new Error(`${program} does not listen: ${reported}`);
}

/** Requests of one address at a time in these tests; the files allow more than a test should open. */
export const requestsMax = 3;

/** A file of deploy/ for services on these ports: one service, or up to three nodes of a fleet. */
function readSettings(file: string, ports: readonly number[]): string {
  let settings = readFileSync(join(deploy, file), 'utf8').replaceAll(
    '127.0.0.1:3000',
    `127.0.0.1:${ports[0]}`,
  );
  for (const [index, port] of ports.entries()) {
    settings = settings.replaceAll(`10.0.0.${11 + index}:3000`, `127.0.0.1:${port}`);
  }
  return (
    settings
      // Nodes that this fleet does not have.
      .replaceAll(/^ *server .*10\.0\.0\..*\n/gm, '')
      .replaceAll(/\/etc\/(haproxy|nginx)\/platen-link(\.\w+)/g, join(deploy, '$1-link$2'))
  );
}

const host = 'images.example.com';

/** Starts nginx with the content of its block `http`, in a folder that it may write. */
export async function runNginx(t: Test, port: number, folder: string, http: string): Promise<void> {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const path = join(folder, 'nginx.conf');
  const modules = http.includes('js_import') ? `load_module ${nginxScripts};` : '';
  writeFileSync(
    path,
    `${modules} daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${folders.join(' ')}\n${http}\n}`,
  );
  const args = ['-e', 'stderr', '-p', folder, '-c', path];
  const checked = spawnSync('nginx', ['-t', ...args], { encoding: 'utf8' });
  t.notMatch(checked.stderr, /\[(warn|emerg)\]/);
  await startProxy(t, port, 'nginx', args, folder);
}

/** Starts nginx with a file of deploy/; resolves to a function that connects to it. */
export async function startNginx(
  t: Test,
  file: string,
  ports: readonly number[],
): Promise<() => Socket> {
  const folder = t.testdir();
  const port = await freePort();
  const { key, cert } = makeCertificate([host]);
  writeFileSync(join(folder, 'privkey.pem'), key);
  writeFileSync(join(folder, 'fullchain.pem'), cert);
  const settings = readSettings(file, ports)
    .replaceAll(`/etc/letsencrypt/live/${host}`, folder)
    .replace('/var/log/nginx/platen.log', join(folder, 'log'))
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/(limit_conn platen_clients) \d+;/, `$1 ${requestsMax};`);
  await runNginx(t, port, folder, settings);
  return () => connectTls({ port, host: '127.0.0.1', servername: host, ca: cert });
}

/** Starts Caddy with its file of deploy/; resolves to a function that connects to it. */
export async function startCaddy(t: Test, servicePort: number): Promise<() => Socket> {
  const folder = t.testdir();
  const port = await freePort();
  const settings = readSettings('Caddyfile', [servicePort])
    // Certificates come from the network.
    .replace(
      /^images\.example\.com/m,
      `http://127.0.0.1:${port}, http://images.example.com:${port}`,
    )
    .replace(/^\{/m, '{\n\tadmin off');
  const path = join(folder, 'Caddyfile');
  writeFileSync(path, settings);
  await startProxy(t, port, 'caddy', ['run', '--adapter', 'caddyfile', '--config', path], folder);
  return () => connectPlain(port, '127.0.0.1');
}

/** Starts HAProxy with its file of deploy/; resolves to a function that connects to it. */
export async function startHaproxy(t: Test, ports: readonly number[]): Promise<() => Socket> {
  const folder = t.testdir();
  const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
  const { key, cert } = makeCertificate([host]);
  writeFileSync(join(folder, 'platen.pem'), `${cert}\n${key}`);
  const settings = readSettings('haproxy.cfg', ports)
    // Rights and descriptors that only the superuser has.
    .replace(/^ {2}(?:user|group) .*\n/gm, '')
    .replace('maxconn 20000', 'maxconn 100')
    .replace('inter 1s', 'inter 50ms')
    .replace('slowstart 10s', 'slowstart 1s')
    .replace(`/etc/haproxy/${host}.pem`, join(folder, 'platen.pem'))
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace('bind 127.0.0.1:8405', `bind 127.0.0.1:${metricsPort}`)
    .replace('sc0_conn_cur gt 1000', `sc0_conn_cur gt ${requestsMax}`);
  const path = join(folder, 'haproxy.cfg');
  writeFileSync(path, settings);
  const checked = spawnSync('haproxy', ['-c', '-f', path], { encoding: 'utf8' });
  t.notMatch(checked.stderr, /WARNING|ALERT/);
  await startProxy(t, port, 'haproxy', ['-db', '-f', path], folder);
  return () => connectTls({ port, host: '127.0.0.1', servername: host, ca: cert });
}
