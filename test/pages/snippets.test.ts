import t from 'tap';
import { isUnmergedTag } from '#language/bind/merge-tags.ts';
import { templateTexts } from '#language/image-texts.ts';
import type { Layer } from '#language/schema/layers.ts';
import { emailServices } from '../../src/pages/browser/email-services.ts';
import { mergeTag } from '../../src/pages/browser/merge-tag.ts';
import type { EmailService } from '../../src/pages/browser/merge-tag.ts';
import {
  curlSnippet,
  describeImage,
  emailLink,
  htmlSnippet,
  markdownSnippet,
  renderPath,
  taggedPath,
} from '../../src/pages/browser/snippets.ts';
import { findService, typed, unescape } from './snippet-parts.ts';

const template = {
  name: 'A "big" <banner>',
  file: 'banner.jpg',
  width: 1200,
  height: 600,
  texts: [],
  scaleMax: 3,
};

t.test('a link holds what was typed, encoded, and leaves out what was not', async (t) => {
  const values = [typed('name', 'Ana & Co #1'), typed('offer', ''), typed('größe', '50% +1')];
  const path = renderPath(template, values);
  t.equal(path, 'v1/render/banner.jpg?name=Ana%20%26%20Co%20%231&gr%C3%B6%C3%9Fe=50%25%20%2B1');
  t.equal(renderPath(template, []), 'v1/render/banner.jpg');
});

t.test('a tag of any email service draws the default when it is not filled in', async (t) => {
  const names = [
    'ActiveCampaign Braze Brevo Campaign Customer.io GetResponse HubSpot Iterable Keila Klaviyo listmonk',
    'Mailchimp MailerLite Mailgun Mautic Omnisend phpList Salesforce SendGrid SendGrid, Sendy Zoho',
  ];
  const firstWords = emailServices.map(({ name }) => name.split(' ')[0]);
  t.same(firstWords, names.join(' ').split(' '));
  const byName = emailServices.map(({ name }) => name);
  t.same(byName, byName.toSorted(new Intl.Collator('en').compare), 'in the order of a list');
  for (const emailService of emailServices) {
    for (const fallback of ['', 'friend', `it's "50%" {{x}} | *|y|*`]) {
      for (const variable of ['name', 'offer', 'Zweite Zeile']) {
        const written = mergeTag(emailService, variable, fallback);
        t.ok(isUnmergedTag(written, variable), `${emailService.name}: ${written}`);
        t.equal((written.match(/'/g) ?? []).length % 2, 0, 'quotes are closed');
      }
    }
    const tag = mergeTag(emailService, 'name', 'friend');
    t.ok(tag.includes(emailService.encoder ?? ''), emailService.name);
    t.equal(tag.includes('friend'), emailService.hasFallback, emailService.name);
  }
});

t.test('a tag is written as the email service writes it', async (t) => {
  const tagsOf = (variable: string, fallback: string): Record<string, string> =>
    Object.fromEntries(emailServices.map((each) => [each.id, mergeTag(each, variable, fallback)]));
  t.match(tagsOf('name', 'you'), {
    mailchimp: '*|FNAME|*',
    klaviyo: "{{ first_name|default:'you'|urlencode }}",
    braze: "{{${first_name} | default: 'you' | url_encode}}",
    sendgrid: '{{insert first_name "default=you"}}',
    mailgun: '%recipient.first_name%',
    activecampaign: '%FIRSTNAME%',
  });
  t.match(tagsOf('Offer 2', ''), {
    mailchimp: '*|OFFER_2|*',
    klaviyo: "{{ person|lookup:'Offer 2'|urlencode }}",
    braze: '{{custom_attribute.${offer_2} | url_encode}}',
    salesforce: '%%=URLEncode([Offer 2],true,true)=%%',
  });
});

t.test('tags come last in a link, and their quotes survive in HTML and Markdown', async (t) => {
  const mailchimp = findService('mailchimp');
  const sendgrid = findService('sendgrid');
  const values = [typed('name', 'Ana', true), typed('offer', 'A & B')];
  t.equal(
    taggedPath(template, values, mailchimp, {}),
    'v1/render/banner.jpg?offer=A%20%26%20B&name=*|FNAME|*',
  );
  const url = `https://x/${taggedPath(template, values, sendgrid, { name: 'you' })}`;
  const named = describeImage(template, values, sendgrid, {});
  const [image, ...rest] = htmlSnippet(template, url, named).split('\n');
  const link = 'https://x/v1/render/banner.jpg?offer=A%20%26%20B&amp;name';
  t.equal(image, `<img src='${link}={{insert first_name "default=you"}}'`);
  const alt = 'width="600" height="300" alt="A &quot;big&quot; &lt;banner&gt;"';
  t.match(rest.join('\n'), alt, 'a template without words has its name');
  const bracketed = [{ text: 'A [b]', isTag: false }];
  t.equal(markdownSnippet(url, bracketed), `![A \\[b\\]](<${url}>)`);
  t.equal(markdownSnippet('https://x/a.png', named), '![A "big" <banner>](https://x/a.png)');
});

t.test('an image in an email has twice the pixels of its size in attributes', async (t) => {
  // Width, height and greatest scale, the wanted width, and what the email has: width, height and scale.
  for (const [width, height, scaleMax, wanted, ...expected] of [
    [1200, 630, 3, {}, 600, 315, 1],
    [400, 200, 3, {}, 400, 200, 2],
    [800, 1000, 3, {}, 600, 750, 2],
    [1080, 1080, 3, {}, 600, 600, 2],
    [2400, 600, 1, {}, 600, 150, 1],
    [1200, 630, 3, { widthPx: 300 }, 300, 158, 1],
    [1200, 630, 3, { widthPx: 1000 }, 1000, 525, 2],
  ] as const) {
    const variant = { ...template, width, height, scaleMax };
    const html = htmlSnippet(variant, 'https://x/a.png?name=*|FNAME|*', [], wanted);
    t.match(html, 'style="display:block;width:100%;max-width:');
    const [, scale = '1'] = /\?_scale=(\d)&amp;name=/.exec(html) ?? [];
    const [, shown, tall] = /width="(\d+)" height="(\d+)"/.exec(html) ?? [];
    t.ok(Number(scale) * width >= 2 * Number(shown), `${width}: two pixels a px`);
    t.same([Number(shown), Number(tall), Number(scale)], expected);
  }
  const fixed = { ...template, width: 400, scaleMax: 1 };
  t.notMatch(htmlSnippet(fixed, 'https://x/a.png', []), '_scale', 'where links may not scale');
  const small = { ...template, width: 400 };
  const toSign = emailLink(small, 'https://x/a.png?name=Zoe');
  t.equal(toSign, 'https://x/a.png?_scale=2&name=Zoe');
  const signed = `${toSign}&_signature=0`;
  t.match(htmlSnippet(small, signed, []), `src="${signed.replaceAll('&', '&amp;')}"`, 'as signed');
});

t.test('the alternative text is what the image says', async (t) => {
  const texts = textsOf([
    { type: 'text', text: '“' },
    { type: 'group', layers: [{ type: 'text', text: 'Northshore\nStays' }] },
    { type: 'text', spans: [{ text: 'Welcome aboard,\n' }, { text: '{{ name }}' }] },
    { type: 'text', text: '{{offer}}' },
    { type: 'text', text: 'Hidden', visible: false },
    { type: 'text', text: 'Sometimes', visibleWhen: { variable: 'name', set: true } },
    { type: 'group', visible: '{{shown}}', layers: [{ type: 'text', text: 'Maybe' }] },
    { type: 'qr', text: 'a code' },
    { type: 'text', text: 'It\'s "on" us!' },
    { type: 'text', text: 'Go' },
  ]);
  const variant = { ...template, texts };
  const values = [typed('name', 'Zoë <3', true), typed('offer', '')];
  const altOf = (emailService?: EmailService, fallbacks = {}): string | undefined => {
    const description = describeImage(variant, values, emailService, fallbacks);
    return /alt=(.*)\n/.exec(htmlSnippet(variant, 'https://x/a.png', description))?.[1];
  };
  const end = 'It&#39;s &quot;on&quot; us! Go';
  t.equal(altOf(), `"Northshore Stays, Welcome aboard, Zoë &lt;3, ${end}"`);
  t.equal(
    altOf(findService('klaviyo'), { name: 'friend', offer: 'Two for one' }),
    `"Northshore Stays, Welcome aboard, {{ first_name|default:'friend' }}, Two for one, ${end}"`,
    'a tag as in a text, without the filter of links',
  );
  t.equal(
    altOf(findService('sendgrid'), { name: 'my friend' }),
    `'Northshore Stays, Welcome aboard, {{insert first_name "default=my friend"}}, ${end}'`,
  );
  for (const emailService of emailServices) {
    const tag = mergeTag(emailService, 'name', 'my friend', 'text');
    t.notMatch(tag, /url_?encode|%20/i, emailService.name);
    t.ok(altOf(emailService, { name: 'my friend' })?.includes(tag), emailService.name);
  }
});

t.test('no sign in a value or a fallback ends an attribute or changes a tag', async (t) => {
  const variant = { ...template, texts: textsOf([{ type: 'text', text: '{{offer}} {{name}}' }]) };
  for (const emailService of [undefined, ...emailServices]) {
    for (const text of [`Won't "x"`, `'`, `"`, `<b>`, `A & B`, `AT&T`, `'"<&>"'`, `&quot;`]) {
      for (const fallback of ['', text]) {
        const values = [typed('offer', text), typed('name', fallback, emailService !== undefined)];
        const title = `${emailService?.name} ${text} ${fallback}`;
        const url = `https://x/${emailService === undefined ? renderPath(variant, values) : taggedPath(variant, values, emailService, { name: fallback })}`;
        const description = describeImage(variant, values, emailService, { name: fallback });
        const { source, alt } = readImage(htmlSnippet(variant, url, description));
        t.equal(new URL(unescape(source)).searchParams.get('offer'), text, title);
        t.ok(unescape(alt).startsWith(text), title);
        if (emailService === undefined) continue;
        // As the email service finds it: it fills tags in before HTML is read.
        const inLink = `name=${mergeTag(emailService, 'name', fallback)}`;
        t.ok(source.endsWith(inLink), `${title}: ${source}`);
        const tag = mergeTag(emailService, 'name', fallback, 'text');
        const found = emailService.escapesTexts === true ? alt : unescape(alt);
        t.ok(found.endsWith(tag), `${title}: ${alt}`);
      }
    }
  }
});

t.test('a shell takes the command as it is', async (t) => {
  const path = renderPath(template, [typed('name', `O'Neil $(x)`)]);
  const link = 'https://x/v1/render/banner.jpg?name=O%27Neil%20%24%28x%29';
  t.equal(curlSnippet(template, `https://x/${path}`), `curl -o banner.jpg \\\n  '${link}'`);
});

/** The texts of a template with these layers: none of them has a position. */
function textsOf(layers: readonly object[]): ReturnType<typeof templateTexts> {
  const names = ['name', 'offer'];
  const variables = names.map((name) => ({ name, type: 'text', value: '' }) as const);
  const size = { format: 1, name: 'Banner', width: 1200, height: 600 } as const;
  return templateTexts({ ...size, variables, layers: layers as Layer[] });
}

/** The attributes of an `img` element as they stand in the source; throws where one ends early or late. */
function readImage(html: string): { source: string; alt: string } {
  const pattern =
    /^<img src=(?:"([^"]*)"|'([^']*)')\s+width="\d+" height="\d+" alt=(?:"([^"]*)"|'([^']*)')\s+style="[^"]*">$/;
  const found = pattern.exec(html);
  if (found === null) throw new Error(`broken: ${html}`);
  return { source: found[1] ?? found[2] ?? '', alt: found[3] ?? found[4] ?? '' };
}

t.test('a tag beside right-to-left words stands isolated', async (t) => {
  const hebrew = { ...template, texts: [['שלום ', { variable: 'name' }, '!'], ['20%']] };
  const tag = findService('listmonk');
  const personal = { ...typed('name', ''), isPersonal: true };
  const written = mergeTag(tag, 'name', 'Ana', 'text');
  const description = describeImage(hebrew, [personal], tag, { name: 'Ana' });
  t.equal(description.map(({ text }) => text).join(''), `שלום \u2068${written}\u2069! 20%`);
  t.match(htmlSnippet(hebrew, 'https://x.example/a.png', description), `שלום &#8296;`);
  const english = { ...template, texts: [['Hello ', { variable: 'name' }, '!']] };
  const wordsFor = (value: string): string =>
    describeImage(english, [typed('name', value)], undefined, {})
      .map(({ text }) => text)
      .join('');
  t.equal(wordsFor('Zoë'), 'Hello Zoë!');
  t.equal(wordsFor('דוד'), 'Hello \u2068דוד\u2069!');
});

t.test('numbers of several values are one number, as in the alternative text', async (t) => {
  const hebrew = [['נותרו ', { variable: 'h' }, ':', { variable: 'm' }], [{ variable: 'm' }]];
  const values = [typed('h', '12'), typed('m', '06')];
  const texts = describeImage({ ...template, texts: hebrew }, values, undefined, {});
  t.equal(texts.map(({ text }) => text).join(''), 'נותרו 12:06, \u206806\u2069');
});

t.test('a tag that could move a number or another tag stands isolated', async (t) => {
  const tag = findService('mailchimp');
  const values = [typed('name', '', true), typed('last', '', true)];
  const [first, last] = ['name', 'last'].map((name) => mergeTag(tag, name, '', 'text'));
  const [name, lastName] = [{ variable: 'name' }, { variable: 'last' }];
  const cases: [texts: (string | { variable: string })[][], alt: string][] = [
    [[['Hello ', name, ', 3 nights left']], `Hello \u2068${first}\u2069, 3 nights left`],
    [[['Hello ', name], ['20% off']], `Hello \u2068${first}\u2069, 20% off`],
    [[['Hello ', name, ' ', lastName, '!']], `Hello \u2068${first}\u2069 ${last}!`],
    [[['Hello ', name, ', you have 3 nights']], `Hello ${first}, you have 3 nights`],
  ];
  for (const [texts, alt] of cases) {
    const description = describeImage({ ...template, texts }, values, tag, {});
    t.equal(description.map(({ text }) => text).join(''), alt);
    t.match(htmlSnippet(template, 'https://x.example/a.png', description), first);
  }
});
