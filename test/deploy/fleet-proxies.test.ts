/** The proxies of deploy/ in front of several nodes: which node gets a link, and what a lost node changes. */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { trackingParameters } from '../../src/render/link/nested-url.ts';
import {
  boundsRequests,
  checkProxy,
  converse,
  refusesBrokenHeads,
  request,
  startUpstream,
  statusOf,
} from './proxy-parts.ts';
import type { Upstream } from './proxy-parts.ts';
import { eventually } from '../e2e/service.ts';
import { deploy, needs, needsNginxScripts, startHaproxy, startNginx } from './start-proxies.ts';

type Start = (t: Test, ports: readonly number[]) => Promise<() => Socket>;

interface Proxy {
  start: Start;
  needed: { skip?: string };
  /** What makes the canonical part of a link. */
  script: string;
}

const proxies: Readonly<Record<string, Proxy>> = {
  HAProxy: { start: startHaproxy, needed: needs('haproxy', '-v'), script: 'haproxy-link.lua' },
  nginx: {
    start: (t, ports) => startNginx(t, 'nginx-fleet.conf', ports),
    needed: needsNginxScripts,
    script: 'nginx-link.js',
  },
};

const names = ['Amanda', 'Zoë O’Hara', '李小龍', 'محمد علي', 'Ольга & Co', '👩‍🚀+1'];
const links = Array.from(
  { length: 40 },
  (_, index) =>
    `/v1/render/banner.png?name=${encodeURIComponent(names[index % names.length] ?? '')}%20${index}&n=${index}`,
);

/** Which of the nodes gets a request. */
type Route = (head: string) => Promise<number>;

function routeBy(t: Test, open: () => Socket, nodes: readonly Upstream[]): Route {
  return async (head) => {
    for (const { asked } of nodes) asked.length = 0;
    const status = statusOf(await converse(open(), [head]));
    const reached = nodes.flatMap(({ asked }, index) => asked.map(() => index));
    if (reached.length !== 1) t.fail(`${reached.length} nodes answer ${status}: ${head}`);
    return reached[0] ?? -1;
  };
}

/** The node of each head, asked for in turn. */
async function routeAll(route: Route, heads: readonly string[]): Promise<number[]> {
  const reached: number[] = [];
  for (const head of heads) reached.push(await route(head));
  return reached;
}

const gets = (targets: readonly string[], ...lines: string[]): string[] =>
  targets.map((target) => request(target, ...lines));

for (const [name, { start, needed, script }] of Object.entries(proxies)) {
  t.test(`${name} in front of a fleet keeps what it keeps in front of one`, needed, async (t) => {
    const upstream = await startUpstream(t);
    const { port } = upstream;
    const open = await start(t, [port, port, port]);
    await checkProxy(t, (pieces) => converse(open(), pieces), upstream, {
      // To each of three servers.
      connectionsMax: 12,
    });
    await refusesBrokenHeads(t, open);
    upstream.asked.length = 0;
    await boundsRequests(t, upstream, open);
  });

  t.test(`${name} sends a link to one node, and a lost node moves its share`, needed, async (t) => {
    const nodes = await Promise.all([startUpstream(t), startUpstream(t), startUpstream(t)]);
    const open = await start(
      t,
      nodes.map(({ port }) => port),
    );
    const route = routeBy(t, open, nodes);
    const first = await routeAll(route, gets(links));
    for (const index of nodes.keys()) {
      // How many is a matter of ports, which nginx hashes.
      t.ok(first.includes(index), `node ${index} has a part`);
    }
    for (const [title, variants] of Object.entries({
      'what campaigns append': links.map((link, index) => `${link}&utm_source=a&utm_id=${index}`),
      'what campaigns put first': links.map((link) => link.replace('?', '?utm_source=a&')),
      'click ids': links.map((link, index) => `${link}&mc_eid=${index}&gclid=`),
      'another order': links.map((link) => link.replace(/(name=.*)&(n=.*)/, '$2&$1')),
      'another encoding': links.map((link) =>
        link.replaceAll('%20', '+').replace('name', 'n%61me'),
      ),
      'hex in lower case': links.map((link) => link.replaceAll(/%../g, (hex) => hex.toLowerCase())),
      'an ampersand as in HTML': links.map((link) => link.replace('&n=', '&amp;n=')),
      'empty parameters': links.map((link) => `${link}&&`),
      signatures: links.map((link, index) => `${link}&_expires=${index}&_signature=ab${index}`),
    })) {
      t.same(await routeAll(route, gets(variants)), first, `${title} change no node`);
    }
    const inherited = Array.from({ length: 12 }, (_, index) => `/v1/render/a?constructor=${index}`);
    t.ok(new Set(await routeAll(route, gets(inherited))).size > 1, 'every name counts');
    const long = `/v1/render/a?${Array.from({ length: 3000 }, (_, index) => `&${index}`).join('')}`;
    t.equal(new Set(await routeAll(route, gets(Array<string>(6).fill(long)))).size, 1);
    const head = gets(links).map((text) => text.replace('GET', 'HEAD'));
    t.same(await routeAll(route, head), first, 'HEAD goes where GET goes');

    const post = request(links[0] ?? '', 'Content-Length: 2').replace('GET', 'POST');
    const posts = Array.from({ length: 12 }, () => `${post}{}`);
    t.ok(new Set(await routeAll(route, posts)).size > 1, 'renders of a JSON body are spread');
    const key = 'X-API-Key: one';
    const calls = gets(Array<string>(6).fill('/v1/templates'), key);
    t.equal(new Set(await routeAll(route, calls)).size, 1, 'a key stays on one node');

    nodes[1]?.server.close();
    const after = await routeAll(route, gets(links));
    const stayed = first.flatMap((node, index) => (node === 1 ? [] : [after[index] === node]));
    t.ok(stayed.every(Boolean), 'links of the other nodes stay');
    t.same(new Set(after), new Set([0, 2]), 'both take a part of the lost share');
  });

  t.test(`${name} leaves out of a link what Platen ignores`, async (t) => {
    const [, ignored = ''] =
      /(_expires _signature [^`\]]*)/.exec(readFileSync(join(deploy, script), 'utf8')) ?? [];
    t.same(ignored.trim().split(/\s+/), ['_expires', '_signature', ...trackingParameters]);
  });
}

t.test(
  'nginx takes no link of thousands of parameters apart, which would stop its worker',
  async (t) => {
    const script = (await import(join(deploy, 'nginx-link.js'))) as {
      default: { link: (request: object) => string };
    };
    const linkOf = (text: string): string =>
      script.default.link({ method: 'GET', variables: { request_uri: text } });
    t.equal(linkOf('/v1/render/a?b=%C3%A9&a=1+2'), '/v1/render/a?a=1 2&b=é');
    const long = `/v1/render/a?${'&utm_a'.repeat(2000)}`;
    t.equal(linkOf(long), long);
  },
);

t.test(
  'HAProxy sends no links to a node that drains, unless none is ready',
  needs('haproxy', '-v'),
  async (t) => {
    const nodes = await Promise.all([startUpstream(t), startUpstream(t), startUpstream(t)]);
    const open = await startHaproxy(
      t,
      nodes.map(({ port }) => port),
    );
    const route = routeBy(t, open, nodes);
    const first = await routeAll(route, gets(links));
    const drained = nodes[1];
    if (drained === undefined) return;
    drained.isReady = false;
    const [ofDrained = ''] = gets(links.filter((_, index) => first[index] === 1));
    t.ok(await eventually(async () => (await route(ofDrained)) !== 1), 'its links go elsewhere');
    const rest = gets(links.filter((_, index) => first[index] !== 1));
    t.same(
      await routeAll(route, rest),
      first.filter((node) => node !== 1),
      'the others stay',
    );
    for (const node of nodes) node.isReady = false;
    t.ok(await eventually(async () => (await route(ofDrained)) === 1), 'none is ready: all answer');
    t.same(await routeAll(route, gets(links)), first, 'on the same ring');
    for (const node of nodes) node.isReady = true;
    const areBack = async (): Promise<boolean> =>
      (await routeAll(route, gets(links))).every((node, index) => node === first[index]);
    t.ok(await eventually(areBack), 'all are back when nodes have their whole weight again');
  },
);
