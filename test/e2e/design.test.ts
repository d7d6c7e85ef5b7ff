import { readFileSync } from 'node:fs';
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { signLink } from '../../src/render/link/auth.ts';
import { checkSame, image } from './image-bytes.ts';
import { checkError } from './request.ts';
import { demoKey, shareService } from './service.ts';

const service = await shareService();

const hello = JSON.parse(
  readFileSync(new URL('../../data/templates/hello.json', import.meta.url), 'utf8'),
) as Template;

/** Calls an organization endpoint; `expected` is the status that the answer must have. */
async function call(
  method: string,
  path: string,
  expected: number,
  body?: object,
  key: string = demoKey,
): Promise<Record<string, unknown>> {
  const answer = await service.get(path, {
    method,
    headers: { 'X-API-Key': key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  t.equal(answer.status, expected, `${method} ${path} ${answer.text.slice(0, 300)}`);
  return answer.text === '' ? {} : (answer.json() as Record<string, unknown>);
}

t.test('a template is saved, published, drawn, changed, rolled back and archived', async (t) => {
  await call('POST', '/v1/templates?uid=designed', 201, hello);
  checkError(t, await service.render('designed?name=Amanda'), 404, 'NOT_FOUND');
  t.match(await call('POST', '/v1/templates/designed/publish', 200), { version: 1 });
  const first = await service.render('designed.png?name=Amanda');
  await checkSame(t, first, await service.render('hello.png?name=Amanda'), 'the same document');

  await call('PUT', '/v1/templates/designed', 200, { ...hello, width: 500 });
  const unpublished = await image(t, await service.render('designed.png?name=Amanda'));
  t.equal(unpublished.width, 400, 'a draft changes no image');
  await call('POST', '/v1/templates/designed/publish', 200, { note: 'wider' });
  const second = await image(t, await service.render('designed.png?name=Amanda'));
  t.equal(second.width, 500);
  await checkSame(t, await service.render('designed.png?name=Amanda&_version=1'), first, 'pinned');
  t.match(await call('POST', '/v1/templates/designed/publish', 200, { version: 1 }), {
    version: 3,
  });
  await checkSame(t, await service.render('designed.png?name=Amanda'), first, 'rolled back');

  await call('DELETE', '/v1/templates/designed', 204);
  checkError(t, await service.render('designed.png?name=Amanda'), 404, 'NOT_FOUND');
  checkError(t, await service.render('designed.png?name=Amanda&_version=1'), 404, 'NOT_FOUND');
});

t.test('a link is signed with a key that the template’s owner made', async (t) => {
  await call('POST', '/v1/templates?uid=designed-closed', 201, { ...hello, linkAuth: 'signed' });
  await call('POST', '/v1/templates/designed-closed/publish', 200);
  const { key } = await call('POST', '/v1/templates/designed-closed/signing-keys', 201);
  const query = 'name=Zo%C3%AB+%26+Co';
  const signature = signLink({ path: '/v1/render/designed-closed', query }, String(key));
  const link = `designed-closed?${query}&_signature=${signature}`;
  t.equal((await service.render(link)).status, 200);
  checkError(t, await service.render(link.replace('Co', 'Ca')), 401, 'UNAUTHORIZED');
  checkError(t, await service.render(`designed-closed?${query}`), 401, 'UNAUTHORIZED');
});

t.test('a new key works until it is revoked', async () => {
  const { id, key } = await call('POST', '/v1/keys', 201, { name: 'mail', scopes: ['read'] });
  await call('GET', '/v1/templates', 200, undefined, String(key));
  await call('POST', '/v1/templates', 403, hello, String(key));
  await call('DELETE', `/v1/keys/${String(id)}`, 204);
  await call('GET', '/v1/templates', 401, undefined, String(key));
});
