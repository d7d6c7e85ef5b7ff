/** Publishes templates through the API of a running service. */
import type { Service } from './service.ts';

/** Creates a template and publishes it. Rejects with the service's answer if it refuses. */
export async function publishTemplate(
  service: Service,
  key: string,
  uid: string,
  document: unknown,
): Promise<void> {
  await callApi(service, key, 'POST', `/v1/templates?uid=${uid}`, JSON.stringify(document));
  await callApi(service, key, 'POST', `/v1/templates/${uid}/publish`);
}

/** Returns the parsed answer. Rejects unless its status is 2xx. */
export async function callApi(
  service: Service,
  key: string,
  method: string,
  path: string,
  body?: string,
): Promise<unknown> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const answer = await fetch(service.base + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
