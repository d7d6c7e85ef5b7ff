/** The files of containers name settings, ports and paths that exist. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { parseConfig } from '../../src/settings.ts';
import { manifest } from '../../src/foundation/product.ts';

const repository = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

const dockerfile = read('Dockerfile');
const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };

/** The user, the port and the folders of the image. */
const image = {
  user: /^USER (\d+):\d+$/m.exec(dockerfile)?.[1],
  port: Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]),
  data: /^VOLUME (\S+)$/m.exec(dockerfile)?.[1],
};

t.test('the image starts the service as npm start does, as another user than root', async (t) => {
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  t.equal(`exec ${(JSON.parse(command) as string[]).join(' ')}`, scripts.start);
  t.ok(Number(image.user) > 0);
  t.equal(parseConfig({}).http.port, image.port);
  t.match(dockerfile, `PLATEN_DATA_DIR=${image.data}`);
  t.match(dockerfile, `--chown=${image.user}:${image.user} /data ${image.data}`);
  t.match(dockerfile, /^HEALTHCHECK /m);
});

t.test('the image is built from what a release and its build read, and from nothing else', (t) => {
  const lines = read('.dockerignore').split('\n');
  const sent = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const path of sent) t.ok(existsSync(join(repository, path)), path);
  for (const path of [...(manifest.files ?? []), 'package-lock.json', 'README.md', 'LICENSE']) {
    if (path === 'dist/') continue;
    t.ok(sent.includes(path.split('/', 1)[0] ?? ''), path);
  }
  t.notOk(sent.some((path) => /^(?:node_modules|dist|test|\.git)/.test(path)));
  t.end();
});

interface Compose {
  services: Record<
    'platen' | 'caddy',
    {
      environment: Record<string, string>;
      init?: boolean;
      read_only?: boolean;
      volumes: string[];
      networks: string[];
      command?: string;
      stop_grace_period?: string;
    }
  >;
  volumes: Record<string, unknown>;
  networks: { inner: { ipam: { config: [{ subnet: string }] } } };
}

t.test('compose.yaml puts Caddy in front of a service that trusts it', async (t) => {
  const { services, volumes, networks } = parse(read('deploy/compose.yaml')) as Compose;
  const { platen, caddy } = services;
  const config = parseConfig({
    ...platen.environment,
    PLATEN_PUBLIC_URL: 'https://images.example.com',
  });
  t.same(config.http.trustedProxies, [networks.inner.ipam.config[0].subnet]);
  t.equal(platen.init, true, 'ended processes are reaped');
  t.equal(platen.read_only, true);
  t.same(platen.volumes, [`data:${image.data}`]);
  t.ok('data' in volumes && 'certificates' in volumes);
  t.ok(Number.parseInt(platen.stop_grace_period ?? '', 10) >= 45, 'time for an orderly end');
  // The command replaces these in the Caddyfile.
  const caddyfile = read('deploy/Caddyfile');
  for (const [, text = ''] of (caddy.command ?? '').matchAll(/"s\/([^/]+)\//g)) {
    t.match(caddyfile, text);
  }
  t.match(caddy.command, `platen:${image.port}`);
});

interface Pod {
  kind: string;
  spec: {
    replicas: number;
    ports: { port: number; targetPort: string }[];
    volumeClaimTemplates: { metadata: { name: string } }[];
    template: {
      spec: {
        shareProcessNamespace: boolean;
        terminationGracePeriodSeconds: number;
        securityContext: { runAsUser: number };
        containers: [
          {
            env: { name: string; value?: string }[];
            ports: { name: string; containerPort: number }[];
            volumeMounts: { name: string; mountPath: string }[];
            securityContext: { readOnlyRootFilesystem: boolean };
          } & Record<'startupProbe' | 'readinessProbe' | 'livenessProbe', Probe>,
        ];
      };
    };
  };
}

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  failureThreshold: number;
}

t.test('Kubernetes probes the health endpoints, and waits for an orderly end', async (t) => {
  const folder = join(repository, 'deploy/kubernetes');
  const documents = readdirSync(folder).flatMap((name) =>
    parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map(
      (document) => document.toJS() as Pod,
    ),
  );
  const [pod, service] = ['StatefulSet', 'Service'].map((kind) =>
    documents.find((document) => document.kind === kind),
  );
  if (pod === undefined || service === undefined) throw new Error('a document is missing');
  const { spec } = pod.spec.template;
  const [container] = spec.containers;
  const environment = container.env.map(({ name, value }) => [name, value ?? 'a-secret']);
  const { http, process } = parseConfig(Object.fromEntries(environment) as Record<string, string>);
  t.same(
    container.ports.map(({ containerPort }) => containerPort),
    [http.port, http.metricsPort],
  );
  t.equal(spec.shareProcessNamespace, true, 'ended processes are reaped');
  t.equal(spec.securityContext.runAsUser, Number(image.user));
  t.equal(container.securityContext.readOnlyRootFilesystem, true);
  t.equal(container.volumeMounts[0]?.mountPath, image.data);
  t.equal(container.volumeMounts[0]?.name, pod.spec.volumeClaimTemplates[0]?.metadata.name);
  t.equal(pod.spec.replicas, 1, 'the database has one writer');
  const { startupProbe, readinessProbe, livenessProbe } = container;
  for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
    t.equal(probe.httpGet.port, 'http');
  }
  t.equal(readinessProbe.httpGet.path, '/readyz');
  t.equal(livenessProbe.httpGet.path, '/healthz', 'no restart for what /readyz reports');
  const drainMs = readinessProbe.periodSeconds * readinessProbe.failureThreshold * 2000;
  t.ok(process.shutdownDelayMs >= drainMs, 'the pod leaves the service first');
  const endMs = process.shutdownDelayMs + 45_000;
  t.ok(spec.terminationGracePeriodSeconds * 1000 >= endMs, 'time for an orderly end');
  t.equal(service.spec.ports[0]?.targetPort, 'http');
});
