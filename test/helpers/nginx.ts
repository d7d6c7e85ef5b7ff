/** A real nginx with a cache in front of a service, for tests of what shared caches keep. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { request } from '../e2e/request.ts';
import { eventually, freePort } from '../e2e/service.ts';

/** Where Debian's package puts it. */
const executablePath = '/usr/sbin/nginx';

/** False with the reason, as tap takes it, where tests with nginx can run. */
export const skipsNginx: false | string = existsSync(executablePath)
  ? false
  : `there is no ${executablePath}: install the package nginx`;

/**
 * Starts nginx in front of `upstreamPort` with `cache` in the location of render links; it ends with the test. Resolves to
 * its port. Each answer says in `X-Cache` whether it came from the cache.
 */
export async function startNginx(t: Test, upstreamPort: number, cache: string): Promise<number> {
  const directory = join(t.testdir(), 'nginx');
  mkdirSync(directory, { recursive: true });
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    join(directory, 'nginx.conf'),
    `daemon off;
master_process off;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
  proxy_cache_path ${directory}/cache keys_zone=platen:1m use_temp_path=off;
  upstream platen { server 127.0.0.1:${upstreamPort}; }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    location /v1/render/ {
      ${cache}
      add_header X-Cache $upstream_cache_status always;
    }
  }
}
`,
  );
  const child = spawn(
    executablePath,
    ['-p', directory, '-c', join(directory, 'nginx.conf'), '-e', join(directory, 'error.log')],
    { stdio: 'ignore' },
  );
  t.teardown(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const answers = (): Promise<boolean> =>
    request(port, '/', { agent: false }).then(
      () => true,
      () => false,
    );
  if (!(await eventually(answers))) throw new Error(`nginx did not start: ${directory}`);
  return port;
}
