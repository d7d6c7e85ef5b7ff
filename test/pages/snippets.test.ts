import t from 'tap';
import { isUnmergedTag } from '#language/bind/merge-tags.ts';
import { templateTexts } from '#language/image-texts.ts';
import type { Layer } from '#language/schema/layers.ts';
import { emailServices } from '../../src/pages/email-services.ts';
import { mergeTag } from '../../src/pages/merge-tag.ts';
import type { EmailService } from '../../src/pages/merge-tag.ts';
import {
  curlSnippet,
  describeImage,
  emailLink,
  htmlSnippet,
  markdownSnippet,
  renderPath,
  taggedPath,
} from '../../src/pages/snippets.ts';

const template = {
  name: 'A "big" <banner>',
  file: 'banner.jpg',
  width: 1200,
  height: 600,
  texts: [],
  scaleMax: 3,
};
const typed = (name: string, value: string, isPersonal = false) => ({ name, value, isPersonal });

t.test('a link holds what was typed, encoded, and leaves out what was not', (t) => {
  const values = [typed('name', 'Ana & Co #1'), typed('offer', ''), typed('größe', '50% +1')];
  const path = renderPath(template, values);
  t.equal(path, 'v1/render/banner.jpg?name=Ana%20%26%20Co%20%231&gr%C3%B6%C3%9Fe=50%25%20%2B1');
  t.same(
    [...new URL(path, 'http://x/').searchParams],
    [
      ['name', 'Ana & Co #1'],
      ['größe', '50% +1'],
    ],
  );
  t.equal(renderPath(template, []), 'v1/render/banner.jpg');
  t.end();
});

t.test('every email service writes a tag that draws the default when nobody fills it in', (t) => {
  const names = [
    'ActiveCampaign Braze Brevo Campaign Customer.io GetResponse HubSpot Iterable Keila Klaviyo listmonk',
    'Mailchimp MailerLite Mailgun Mautic Omnisend phpList Salesforce SendGrid SendGrid, Sendy Zoho',
  ];
  t.same(
    emailServices.map(({ name }) => name.split(' ')[0]),
    names.join(' ').split(' '),
  );
  const byName = emailServices.map(({ name }) => name);
  t.same(byName, byName.toSorted(new Intl.Collator('en').compare), 'in the order of a list');
  for (const emailService of emailServices) {
    for (const fallback of ['', 'friend', `it's "50%" {{x}} | *|y|*`]) {
      for (const variable of ['name', 'offer', 'Zweite Zeile']) {
        const tag = mergeTag(emailService, variable, fallback);
        t.ok(isUnmergedTag(tag, variable), `${emailService.name}: ${tag}`);
        t.equal((tag.match(/'/g) ?? []).length % 2, 0, 'quotes are closed');
      }
    }
    t.ok(
      emailService.encoder === undefined ||
        mergeTag(emailService, 'name', 'a').includes(emailService.encoder),
    );
    t.equal(
      mergeTag(emailService, 'name', 'friend').includes('friend'),
      emailService.hasFallback,
      emailService.name,
    );
  }
  t.end();
});

t.test('a tag is written as the email service writes it', (t) => {
  const tags = Object.fromEntries(
    emailServices.map((emailService) => [emailService.id, mergeTag(emailService, 'name', 'you')]),
  );
  t.match(tags, {
    mailchimp: '*|FNAME|*',
    klaviyo: "{{ first_name|default:'you'|urlencode }}",
    braze: "{{${first_name} | default: 'you' | url_encode}}",
    sendgrid: '{{insert first_name "default=you"}}',
    mailgun: '%recipient.first_name%',
    activecampaign: '%FIRSTNAME%',
  });
  const variant = Object.fromEntries(
    emailServices.map((emailService) => [emailService.id, mergeTag(emailService, 'Offer 2', '')]),
  );
  t.match(variant, {
    mailchimp: '*|OFFER_2|*',
    klaviyo: "{{ person|lookup:'Offer 2'|urlencode }}",
    braze: '{{custom_attribute.${offer_2} | url_encode}}',
    salesforce: '%%=URLEncode([Offer 2],true,true)=%%',
  });
  t.end();
});

t.test('tags come last in a link, and their quotes survive in HTML and Markdown', (t) => {
  const mailchimp = findTool('mailchimp');
  const sendgrid = findTool('sendgrid');
  const values = [typed('name', 'Ana', true), typed('offer', 'A & B')];
  t.equal(
    taggedPath(template, values, mailchimp, {}),
    'v1/render/banner.jpg?offer=A%20%26%20B&name=*|FNAME|*',
  );
  const url = `https://x/${taggedPath(template, values, sendgrid, { name: 'you' })}`;
  const named = describeImage(template, values, sendgrid, {});
  t.equal(
    htmlSnippet(template, url, named).split('\n')[0],
    `<img src='https://x/v1/render/banner.jpg?offer=A%20%26%20B&amp;name={{insert first_name "default=you"}}'`,
  );
  t.match(
    htmlSnippet(template, url, named),
    'width="600" height="300" alt="A &quot;big&quot; &lt;banner&gt;"',
    'a template without words has its name',
  );
  const bracketed = [{ text: 'A [b]', isTag: false }];
  t.equal(markdownSnippet(url, bracketed), `![A \\[b\\]](<${url}>)`);
  t.equal(markdownSnippet('https://x/a.png', named), '![A "big" <banner>](https://x/a.png)');
  t.end();
});

t.test('an image in an email has its size as attributes, and twice the pixels behind it', (t) => {
  const sizes: [width: number, height: number, scaleMax: number, widthPx: number | undefined][] = [
    [1200, 630, 3, undefined],
    [400, 200, 3, undefined],
    [800, 1000, 3, undefined],
    [1080, 1080, 3, undefined],
    [2400, 600, 1, undefined],
    [1200, 630, 3, 300],
    [1200, 630, 3, 1000],
  ];
  const expected = [
    [600, 315, 1],
    [400, 200, 2],
    [600, 750, 2],
    [600, 600, 2],
    [600, 150, 1],
    [300, 158, 1],
    [1000, 525, 2],
  ];
  const found = sizes.map(([width, height, scaleMax, widthPx]) => {
    const variant = { ...template, width, height, scaleMax };
    const html = htmlSnippet(
      variant,
      'https://x/a.png?name=*|FNAME|*',
      [],
      widthPx === undefined ? {} : { widthPx },
    );
    t.match(html, 'style="display:block;width:100%;max-width:');
    const [, scale = '1'] = /\?_scale=(\d)&amp;name=/.exec(html) ?? [];
    const [, shown, tall] = /width="(\d+)" height="(\d+)"/.exec(html) ?? [];
    t.ok(Number(scale) * width >= 2 * Number(shown), `${width}: two pixels a px`);
    return [Number(shown), Number(tall), Number(scale)];
  });
  t.same(found, expected);
  const fixed = { ...template, width: 400, scaleMax: 1 };
  t.notMatch(htmlSnippet(fixed, 'https://x/a.png', []), '_scale', 'where links may not scale');
  const small = { ...template, width: 400 };
  const toSign = emailLink(small, 'https://x/a.png?name=Zoe');
  t.equal(toSign, 'https://x/a.png?_scale=2&name=Zoe');
  const signed = `${toSign}&_signature=0`;
  t.match(htmlSnippet(small, signed, []), `src="${signed.replaceAll('&', '&amp;')}"`, 'as signed');
  t.end();
});

t.test('the alternative text is what the image says', (t) => {
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
    altOf(findTool('klaviyo'), { name: 'friend', offer: 'Two for one' }),
    `"Northshore Stays, Welcome aboard, {{ first_name|default:'friend' }}, Two for one, ${end}"`,
    'a tag as in a text, without the filter of links',
  );
  t.equal(
    altOf(findTool('sendgrid'), { name: 'my friend' }),
    `'Northshore Stays, Welcome aboard, {{insert first_name "default=my friend"}}, ${end}'`,
  );
  for (const emailService of emailServices) {
    const tag = mergeTag(emailService, 'name', 'my friend', 'text');
    t.notMatch(tag, /url_?encode|%20/i, emailService.name);
    t.ok(altOf(emailService, { name: 'my friend' })?.includes(tag), emailService.name);
  }
  t.end();
});

t.test('no sign in a value or a fallback ends an attribute or changes a tag', (t) => {
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
        t.ok(
          source.endsWith(`name=${mergeTag(emailService, 'name', fallback)}`),
          `${title}: ${source}`,
        );
        const tag = mergeTag(emailService, 'name', fallback, 'text');
        const found = emailService.escapesTexts === true ? alt : unescape(alt);
        t.ok(found.endsWith(tag), `${title}: ${alt}`);
      }
    }
  }
  t.end();
});

t.test('a shell takes the command as it is', (t) => {
  const path = renderPath(template, [typed('name', `O'Neil $(x)`)]);
  t.equal(
    curlSnippet(template, `https://x/${path}`),
    "curl -o banner.jpg \\\n  'https://x/v1/render/banner.jpg?name=O%27Neil%20%24(x)'",
  );
  t.end();
});

/** The texts of a template with these layers: none of them has a position. */
function textsOf(layers: readonly object[]): ReturnType<typeof templateTexts> {
  const names = ['name', 'offer'];
  const variables = names.map((name) => ({ name, type: 'text', value: '' }) as const);
  const size = { format: 1, name: 'Banner', width: 1200, height: 600 } as const;
  return templateTexts({ ...size, variables, layers: layers as Layer[] });
}

function findTool(id: string): EmailService {
  const found = emailServices.find((emailService) => emailService.id === id);
  if (found === undefined) throw new Error(`there is no email service ${id}`);
  return found;
}

/** The attributes of an `img` element as they stand in the source; throws where one ends early or late. */
function readImage(html: string): { source: string; alt: string } {
  const pattern =
    /^<img src=(?:"([^"]*)"|'([^']*)')\s+width="\d+" height="\d+" alt=(?:"([^"]*)"|'([^']*)')\s+style="[^"]*">$/;
  const found = pattern.exec(html);
  if (found === null) throw new Error(`broken: ${html}`);
  return { source: found[1] ?? found[2] ?? '', alt: found[3] ?? found[4] ?? '' };
}

/** The text of an attribute. */
function unescape(source: string): string {
  const signs = { amp: '&', quot: '"', '#39': "'", lt: '<', gt: '>' };
  return source.replaceAll(
    /&(amp|quot|#39|lt|gt);/g,
    (_, name: string) => signs[name as keyof typeof signs],
  );
}
