import t from 'tap';
import { isUnmergedTag } from '#shared/merge-tags.ts';
import { mailTools, mergeTag } from '../../src/pages/mail-tools.ts';
import type { MailTool } from '../../src/pages/mail-tools.ts';
import {
  curlSnippet,
  htmlSnippet,
  markdownSnippet,
  renderPath,
  taggedPath,
} from '../../src/pages/snippets.ts';

const template = { name: 'A "big" <banner>', file: 'banner.jpg', width: 600, height: 300 };
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

t.test(
  'every mailing tool of the issue writes a tag that draws the default when nobody fills it in',
  (t) => {
    const names =
      'ActiveCampaign Braze Brevo Customer.io HubSpot Klaviyo Mailchimp Mailgun Salesforce SendGrid';
    t.same(
      mailTools.map(({ name }) => name.split(' ')[0]),
      names.split(' '),
    );
    for (const tool of mailTools) {
      for (const fallback of ['', 'friend', `it's "50%" {{x}} | *|y|*`]) {
        for (const variable of ['name', 'offer', 'Zweite Zeile']) {
          const tag = mergeTag(tool, variable, fallback);
          t.ok(isUnmergedTag(tag), `${tool.name}: ${tag}`);
          t.equal((tag.match(/'/g) ?? []).length % 2, 0, 'quotes are closed');
        }
      }
      t.ok(tool.encoder === undefined || mergeTag(tool, 'name', 'a').includes(tool.encoder));
      t.equal(mergeTag(tool, 'name', 'friend').includes('friend'), tool.hasFallback, tool.name);
      t.ok(tool.sources.every((source) => URL.canParse(source)));
    }
    t.end();
  },
);

t.test('a tag is written as the tool writes it', (t) => {
  const tags = Object.fromEntries(
    mailTools.map((tool) => [tool.id, mergeTag(tool, 'name', 'you')]),
  );
  t.match(tags, {
    mailchimp: '*|FNAME|*',
    klaviyo: "{{ first_name|default:'you'|urlencode }}",
    braze: "{{${first_name} | default: 'you' | url_encode}}",
    sendgrid: '{{insert first_name "default=you"}}',
    mailgun: '%recipient.first_name%',
    activecampaign: '%FIRSTNAME%',
  });
  const own = Object.fromEntries(mailTools.map((tool) => [tool.id, mergeTag(tool, 'Offer 2', '')]));
  t.match(own, {
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
  t.equal(
    htmlSnippet(template, url).split('\n')[0],
    `<img src='https://x/v1/render/banner.jpg?offer=A%20%26%20B&amp;name={{insert first_name "default=you"}}'`,
  );
  t.match(
    htmlSnippet(template, url),
    'width="600" height="300" alt="A &quot;big&quot; &lt;banner&gt;"',
  );
  t.equal(markdownSnippet({ ...template, name: 'A [b]' }, url), `![A \\[b\\]](<${url}>)`);
  t.equal(markdownSnippet(template, 'https://x/a.png'), '![A "big" <banner>](https://x/a.png)');
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

function findTool(id: string): MailTool {
  const found = mailTools.find((tool) => tool.id === id);
  if (found === undefined) throw new Error(`there is no tool ${id}`);
  return found;
}
