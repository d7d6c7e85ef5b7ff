import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { sentTexts } from '../../src/render/link/signature.ts';
import { signSent } from '../fixtures/sent-signature.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { serveRenders } from '../fixtures/render-service.ts';
import type { TestService } from '../fixtures/render-service.ts';
import { openStores } from '../store/store-fixture.ts';

interface Vector {
  title: string;
  key: string;
  uid: string;
  query: string;
  text: string;
  signature: string;
  link: string;
}

/** Made by another implementation of HMAC-SHA256. */
const vectors = JSON.parse(
  readFileSync(new URL('../fixtures/signature-vectors.json', import.meta.url), 'utf8'),
) as Vector[];

const pool = await sharePool();

/** Publishes a signed template, and gives it a key. */
function publishSigned({ publish, stores }: TestService, uid = 'card'): string {
  publish(uid, { linkAuth: 'signed' });
  return stores.organizations.createSigningKey('org_a', uid)?.key ?? '';
}

/** A link below `/v1/render/` with its signature. */
function signed(key: string, query: string, file = 'card', signedFile = file): string {
  const signature = signSent({ path: `/v1/render/${signedFile}`, query }, key);
  return `${file}?${query}${query === '' ? '' : '&'}_signature=${signature}`;
}

t.test('signatures without a version are those of the vectors', async (t) => {
  const { base, publish, stores } = await serveRenders(t, { pool });
  const giveKey = stores.db.prepare<[string, string]>(
    `INSERT INTO signing_keys (template_id, secret, created_at)
     SELECT id, ?, created_at FROM templates WHERE uid = ?`,
  );
  for (const uid of new Set(vectors.map((vector) => vector.uid))) {
    publish(uid, { linkAuth: 'signed' });
    giveKey.run(vectors.find((vector) => vector.uid === uid)?.key ?? '', uid);
  }
  for (const { title, key, uid, query, text, signature, link } of vectors) {
    const path = `/v1/render/${uid}`;
    t.equal(sentTexts(path, query)[0], text, title);
    t.equal(signSent({ path, query }, key), signature, title);
    const sent = link.slice(link.indexOf('?') + 1);
    t.equal(sentTexts(path, sent)[0], text, `${title}, as it is sent`);
    const answer = await fetch(base + link);
    t.equal(answer.status, 200, `${title} ${await answer.text()}`);
  }
});

t.test('a signed template answers no link that was changed, and none without a key', async (t) => {
  const service = await serveRenders(t, { pool });
  const { get } = service;
  const key = publishSigned(service);
  const link = signed(key, 'name=Amanda&name=B');
  t.equal((await get(link)).status, 200);
  const [signature = ''] = /[0-9a-f]{64}$/.exec(link) ?? [];
  const bad = [
    'card?name=Amanda',
    'card',
    link.replace('Amanda', 'Amandb'),
    `${link}&utm_source=mail`,
    link.replace('name=Amanda&name=B', 'name=B&name=Amanda'),
    link.slice(0, -1),
    link.replace(signature, signature.toUpperCase()),
    link.replace(
      signature,
      signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    ),
    link.replace(signature, ''),
    link.replace(signature, 'é'.repeat(64)),
    `card?_signature=${signature}&name=Amanda&_signature=${'0'.repeat(64)}`,
    signed('', 'name=Amanda'),
    signed('another key', 'name=Amanda'),
    signed(key, 'name=Amanda', 'card', 'other'),
  ];
  for (const wrong of bad) {
    const answer = await get(wrong);
    t.equal(answer.status, 401, wrong);
    t.match(await answer.json(), { error: { code: 'UNAUTHORIZED', message: /signature/ } });
  }
  service.publish('keyless', { linkAuth: 'signed' });
  t.equal((await get(signed('', '', 'keyless'))).status, 401);
  t.equal((await get(signed(key, '', 'keyless'))).status, 401, 'another template’s key');
});

t.test('a link may be signed with its extension or without', async (t) => {
  const service = await serveRenders(t, { pool });
  const key = publishSigned(service);
  for (const signedFile of ['card', 'card.jpg']) {
    const link = signed(key, 'name=A', 'card.jpg', signedFile);
    t.equal((await service.get(link)).status, 200, signedFile);
  }
  t.equal((await service.get(signed(key, 'name=A', 'card', 'card.jpg'))).status, 401);
  t.equal((await service.get(signed(key, 'name=A', 'card.png', 'card.jpg'))).status, 401);
});

t.test('an expired link is refused, and what shared caches keep ends with it', async (t) => {
  const service = await serveRenders(t, { pool });
  const { get } = service;
  const key = publishSigned(service);
  const now = Math.floor(Date.now() / 1000);
  for (const expires of [String(now - 1), '0', '', 'soon', '-1', '1e12', '9'.repeat(13)]) {
    const answer = await get(signed(key, `_expires=${expires}`));
    t.equal(answer.status, 401, expires);
    t.match(await answer.json(), { error: { message: /expired/ } });
  }
  const later = signed(key, `name=A&_expires=${now + 60}`);
  t.equal((await get(later.replace(String(now + 60), String(now + 9999)))).status, 401);
  for (const state of ['miss', 'hit']) {
    const answer = await get(later);
    t.equal(answer.status, 200);
    const [, seconds] =
      /^public, max-age=(\d+)$/.exec(answer.headers.get('cache-control') ?? '') ?? [];
    t.ok(Number(seconds) <= 60 && Number(seconds) > 30, `${state} ${seconds}`);
    const headers = { 'If-None-Match': answer.headers.get('etag') ?? '' };
    const unchanged = await get(later, { headers });
    t.equal(unchanged.status, 304);
    t.match(unchanged.headers.get('cache-control'), /^public, max-age=[3-6]\d$/);
  }
  const pinned = await get(signed(key, `_version=1&_expires=${now + 60}`));
  t.match(pinned.headers.get('cache-control'), /^public, max-age=[3-6]\d$/);
  const far = await get(signed(key, `_expires=${now + 1000}`));
  t.equal(far.headers.get('cache-control'), 'public, max-age=300');
  const endless = await get(signed(key, ''));
  t.equal(
    endless.headers.get('cache-control'),
    'public, max-age=300, stale-while-revalidate=86400',
  );
});

t.test('two keys are valid at a time, and a removed one ends at once', async (t) => {
  const service = await serveRenders(t, { pool });
  const { organizations, path } = service.stores;
  const old = publishSigned(service);
  const next = organizations.createSigningKey('org_a', 'card')?.key ?? '';
  t.throws(() => organizations.createSigningKey('org_a', 'card'), { code: 'CONFLICT' });
  const statuses = async () => [
    (await service.get(signed(old, 'name=A'))).status,
    (await service.get(signed(next, 'name=A'))).status,
  ];
  t.same(await statuses(), [200, 200]);
  const other = openStores(t, path).organizations;
  const id = other.listSigningKeys('org_a', 'card')?.at(-1)?.id ?? 0;
  t.equal(other.removeSigningKey('org_a', 'card', id), true);
  t.same(await statuses(), [401, 200]);
  t.equal(other.removeSigningKey('org_a', 'card', id), false);
});

t.test('an apostrophe may be signed and sent as it is or encoded', async (t) => {
  const service = await serveRenders(t, { pool });
  const key = publishSigned(service);
  // As a program signs that knows only the documentation, with `encodeURIComponent`.
  const signature = createHmac('sha256', key).update("/v1/render/card?name=O'Brien").digest('hex');
  for (const name of ["O'Brien", 'O%27Brien']) {
    const link = `card?name=${name}&_signature=${signature}`;
    t.equal((await service.get(link)).status, 200, name);
    t.equal((await service.get(link.replace('Brien', 'Brian'))).status, 401);
  }
});
