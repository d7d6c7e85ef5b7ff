/** The HTML of emails: its link, its dark variant, its version, and the signature that a service makes by itself. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { emailServices } from '../../src/pages/browser/email-services.ts';
import { mergeTag } from '../../src/pages/browser/merge-tag.ts';
import {
  darkPath,
  describeImage,
  htmlSnippet,
  renderPath,
  selfSignedSnippet,
  taggedPath,
} from '../../src/pages/browser/snippets.ts';
import type { SnippetTemplate } from '../../src/pages/browser/snippets.ts';
import { runLiquid } from '../helpers/liquid.ts';
import { findService, typed, unescape } from './snippet-parts.ts';
import { signRenderUrl } from '../../src/client/links.ts';

const vectors = JSON.parse(
  readFileSync(new URL('../../docs/signature-vectors.json', import.meta.url), 'utf8'),
) as {
  title: string;
  uid: string;
  key: string;
  values: Record<string, string>;
  signature: string;
}[];

const template: SnippetTemplate = {
  name: 'Banner',
  file: 'banner.jpg',
  width: 800,
  height: 400,
  texts: [['Hello ', { variable: 'name' }]],
  scaleMax: 3,
};
const words = [{ text: 'Hello', isTag: false }];

t.test('a link stands around the image, without underlined white space', async (t) => {
  const target = 'https://shop.example/?a=1&b="2"';
  const html = htmlSnippet(template, 'https://x/a.png', words, { target });
  t.ok(html.startsWith(`<a href='https://shop.example/?a=1&amp;b="2"' target="_blank" style="`));
  t.match(html, /^<a [^>]* style="[^"]*"><img /);
  t.match(html, /><\/a>$/);
  t.notMatch(html, />\s+</);
  const both = htmlSnippet(template, 'https://x/a.png', words, { target: `https://x/?a='"'` });
  t.match(both, `<a href='https://x/?a=%27"%27'`);
  t.notMatch(htmlSnippet(template, 'https://x/a.png', words), '<a');
});

t.test('a pinned link names its version before any value', async (t) => {
  const pinned = { ...template, version: 3 };
  const values = [typed('offer', 'A'), typed('name', 'Ana', true)];
  t.equal(renderPath(pinned, values), 'v1/render/banner.jpg?_version=3&offer=A&name=Ana');
  const tagged = taggedPath(pinned, values, findService('mailchimp'), {});
  t.equal(tagged, 'v1/render/banner.jpg?_version=3&offer=A&name=*|FNAME|*');
  const html = htmlSnippet(pinned, `https://x/${renderPath(pinned, values)}`, words);
  const source = 'v1/render/banner.jpg?_scale=2&amp;_version=3&amp;offer=A&amp;name=Ana';
  t.match(html, `src="https://x/${source}"`);
});

t.test('a dark variant has another value, where the service encodes values', async (t) => {
  const values = [typed('theme', 'light'), typed('name', '', true)];
  const dark = { name: 'theme', value: 'dark' };
  const path = darkPath(template, values, findService('klaviyo'), { name: 'friend' }, dark);
  t.equal(path, "v1/render/banner.jpg?theme=dark&name={{ first_name|default:'friend'|urlencode }}");
  const html = htmlSnippet(template, 'https://x/a.png', words, { darkUrl: `https://x/${path}` });
  t.match(
    html,
    /^<picture><source media="\(prefers-color-scheme: dark\)"\s+srcset="[^"]*_scale=2&amp;theme=dark&amp;name=[^"]*"><img [^>]*><\/picture>$/,
  );
  for (const emailService of emailServices) {
    const found = darkPath(template, values, emailService, {}, dark);
    t.equal(found === undefined, emailService.encoder === undefined, emailService.name);
    const noContact = darkPath(template, [typed('theme', 'light')], emailService, {}, dark);
    t.equal(noContact, 'v1/render/banner.jpg?theme=dark', emailService.name);
  }
  const plain = darkPath(template, values, undefined, {}, { name: 'name', value: 'Zoë' });
  t.equal(plain, 'v1/render/banner.jpg?theme=light&name=Zo%C3%AB');
});

t.test('a fallback reads in the alternative text as it was typed', async (t) => {
  const escaping = 'braze customerio iterable keila listmonk omnisend sendgrid'.split(' ');
  const found = emailServices.filter(({ escapesTexts }) => escapesTexts).map(({ id }) => id);
  t.same(found, escaping, 'these have the filter for HTML in the tag, or escape by themselves');
  const values = [typed('name', '', true)];
  for (const emailService of emailServices.filter(({ hasFallback }) => hasFallback)) {
    for (const fallback of ['Tom & Ann', 'AT&T', 'R&amp;D', 'a < b']) {
      const description = describeImage(template, values, emailService, { name: fallback });
      const html = htmlSnippet(template, 'https://x/a.png', description);
      const tag = mergeTag(emailService, 'name', 'MARK', 'text');
      const [, before = '', after = ''] = /^(.*)MARK(.*)$/.exec(`Hello ${tag}`) ?? [];
      const from = html.indexOf(before) + before.length;
      const written = html.slice(from, html.indexOf(after, from));
      const sent = emailService.escapesTexts === true ? escape(written) : written;
      t.equal(unescape(sent), fallback, emailService.name);
    }
  }
  const braze = describeImage(template, values, findService('braze'), { name: 'Tom & Ann' });
  const sent = runLiquid(htmlSnippet(template, 'https://x/a.png', braze), { first_name: '' }, '');
  t.match(sent, 'alt="Hello Tom &amp; Ann"');
});

t.test('a fallback that looks like parameters reads in the link as it was typed', async (t) => {
  const fallback = 'A&b=c';
  const values = [typed('offer', 'A'), typed('name', '', true)];
  for (const emailService of emailServices.filter(({ hasFallback }) => hasFallback)) {
    const path = taggedPath(template, values, emailService, { name: fallback });
    const html = htmlSnippet(template, `https://x/${path}`, words);
    t.match(html, '?_scale=2&amp;offer=A&amp;name=', emailService.name);
    t.notMatch(html, 'A&amp;b', emailService.name);
  }
  const braze = findService('braze');
  const link = `https://x/${taggedPath(template, values, braze, { name: fallback })}`;
  const sent = runLiquid(htmlSnippet(template, link, words), { first_name: '' }, '');
  t.match(sent, 'name=A%26b%3Dc"');
});

t.test('Braze signs a link as Platen does', async (t) => {
  const documented = runLiquid("{{hey | hmac_sha256_hex: 'secret_key'}}", { hey: 'hey' }, '');
  const example = '8df897f8da3d7992fe57c8dbc6f27578cfbf2dcc4d0fbb4000b8c924841d508e';
  t.equal(documented, example, 'the example of the documentation of Braze');
  const braze = findService('braze');
  if (braze.signer === undefined) throw new Error('Braze signs');
  const emailService = { ...braze, signer: braze.signer };
  const key = 'psk_0123456789abcdef';
  const values = [typed('offer', `A & B's`), typed('name', '', true)];
  const source = selfSignedSnippet('https://x', template, values, emailService, { name: 'friend' });
  for (const [name, shown] of [
    ['Ana', 'Ana'],
    ['', 'friend'],
    [`O'Neill & "Söhne" +1%`, 'O'],
  ] as const) {
    const html = runLiquid(source, { first_name: name }, key);
    const [, attribute = ''] = /src="([^"]*)"/.exec(html) ?? [];
    const { pathname, search } = new URL(attribute.replaceAll('&amp;', '&'));
    t.match(
      search,
      /^\?_scale=2&name=[^&]*&offer=A%20%26%20B%27s&_signature=v2\.[0-9a-f]{64}$/,
      name,
    );
    t.equal(pathname, '/v1/render/banner.jpg');
    const pairs = { name: name === '' ? 'friend' : name, offer: `A & B's`, _scale: '2' };
    const link = `https://x/v1/render/banner?${new URLSearchParams(pairs).toString()}`;
    const signed = await signRenderUrl(link, key);
    t.equal(new URLSearchParams(search).get('_signature'), signatureOf(signed), name);
    t.match(html, `alt="Hello ${shown}`, name);
  }
  t.notMatch(source, '&amp;_scale', 'a signature covers the scale');
});

t.test('Braze makes the signatures of the test vectors', async (t) => {
  const emailService = { ...findService('braze'), signer: 'hmac_sha256_hex' };
  for (const { title, uid, key, values, signature } of vectors) {
    const image: SnippetTemplate = { ...template, width: 600, file: `${uid}.jpg`, scaleMax: 1 };
    const none = Object.fromEntries(Object.keys(values).map((name) => [name, '']));
    for (const tagged of [undefined, ...Object.keys(values)]) {
      const shown = Object.entries(values).map(([name, value]) =>
        name === tagged ? typed(name, '', true) : typed(name, value),
      );
      // A typed value that is empty is not in the link.
      if (Object.entries(values).some(([name, value]) => value === '' && name !== tagged)) continue;
      const source = selfSignedSnippet('https://x', image, shown, emailService, none);
      const fields = Object.fromEntries(
        [...source.matchAll(/\$\{([^{}]+)\}/g)].map(([, field = '']) => [
          field,
          values[tagged ?? ''] ?? '',
        ]),
      );
      const [, attribute = ''] = /src="([^"]*)"/.exec(runLiquid(source, fields, key)) ?? [];
      t.equal(signatureOf(attribute.replaceAll('&amp;', '&')), signature, `${title}, ${tagged}`);
    }
  }
});

function signatureOf(link: string): string | null {
  return new URL(link).searchParams.get('_signature');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
