/** Calls of the endpoints of data tables, and what links to their rows draw. */
import type { Test } from 'tap';
import { decodeImage } from '../e2e/image-bytes.ts';
import { textLayer } from '../e2e/published.ts';
import { demoKey, eventually } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import type { Answer } from '../e2e/request.ts';

export const key = { 'X-API-Key': demoKey };

export async function stop(service: Service): Promise<void> {
  service.process.kill('SIGTERM');
  await service.process.ended;
}

/** Publishes a template that draws the variable `name`. */
export async function publish(
  service: Service,
  uid: string,
  source: { from?: string },
): Promise<void> {
  const id = { name: 'id', type: 'text', value: '' };
  const name = { name: 'name', type: 'text', value: 'friend', ...source };
  const document = {
    format: 1,
    name: uid,
    width: 240,
    height: 40,
    variables: [id, name],
    layers: [textLayer('{{name}}')],
  };
  const headers = { ...key, 'Content-Type': 'application/json' };
  const post = (path: string, body: object): Promise<Answer> =>
    service.get(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const saved = await post(`/v1/templates?uid=${uid}`, document);
  if (saved.status !== 201) throw new Error(saved.text);
  // A busy service asks for another attempt.
  const isPublished = async (): Promise<boolean> =>
    (await post(`/v1/templates/${uid}/publish`, {})).status === 200;
  if (!(await eventually(isPublished))) throw new Error(`${uid} is not published.`);
}

export function put(service: Service, name: string, list: string): Promise<Answer> {
  const headers = { ...key, 'Content-Type': 'text/csv' };
  return service.get(`/v1/tables/${name}?key=id`, { method: 'PUT', headers, body: list });
}

export function patch(service: Service, rows: readonly Record<string, unknown>[]): Promise<Answer> {
  const headers = { ...key, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ rows });
  return service.get('/v1/tables/members', { method: 'PATCH', headers, body });
}

export function remove(service: Service, path: string): Promise<Answer> {
  return service.get(`/v1/tables/${path}`, { method: 'DELETE', headers: key });
}

/** A text that is drawn. How its bytes are encoded depends on what was drawn before. */
export async function plain(service: Service, name: string): Promise<Buffer> {
  return pixelsOf((await service.render(plainLink(name))).body);
}

function plainLink(name: string): string {
  return `plain.png?name=${encodeURIComponent(name)}`;
}

export async function pixelsOf(png: Buffer): Promise<Buffer> {
  return (await decodeImage(png)).data;
}

/** False also while a node that has just started answers either link late. */
async function isDrawn(service: Service, id: string, name: string): Promise<boolean> {
  const [link, expected] = await Promise.all([
    service.render(`card.png?id=${id}`),
    service.render(plainLink(name)),
  ]);
  if (link.status !== 200 || expected.status !== 200) return false;
  return (await pixelsOf(link.body)).equals(await pixelsOf(expected.body));
}

/** The link of a key draws this name. */
export async function draws(
  t: Test,
  service: Service,
  id: string,
  name: string,
  message = '',
): Promise<void> {
  t.ok(await isDrawn(service, id, name), `${id} draws ${name} ${message}`);
}

/** The link of a key comes to draw this name. */
export async function comesTo(t: Test, service: Service, id: string, name: string): Promise<void> {
  t.ok(await eventually(() => isDrawn(service, id, name)), `${id} comes to draw ${name}`);
}
