/** Generates `docs/merge-tags.md`: the tags of each email service, their use, and the sources of each syntax. */
import { columnSources } from './column-sources.ts';
import {
  altColumn,
  columnRecipe,
  columnSnippet,
  emailServices,
  mergeTag,
  selfSignedSnippet,
  signingKeyPlaceholder,
  urlColumn,
} from '../../pages/browser/email-snippets.ts';
import type { EmailService } from '../../pages/browser/email-snippets.ts';

/** The documentation of each syntax, by the id of the email service. */
const sources: Readonly<Record<string, readonly (readonly [title: string, url: string])[]>> = {
  activecampaign: [
    [
      'ActiveCampaign Design: Personalization',
      'https://activecampaign.design/docs/patterns/personalization',
    ],
  ],
  braze: [
    [
      'Braze Docs: Advanced filters',
      'https://www.braze.com/docs/user_guide/personalization_and_dynamic_content/liquid/advanced_filters/',
    ],
    [
      'Braze Docs: Set default values',
      'https://www.braze.com/docs/user_guide/personalization_and_dynamic_content/liquid/setting_default_values/',
    ],
  ],
  brevo: [['Brevo Help Center', 'https://help.brevo.com/hc/en-us/articles/4405381108626']],
  campaignmonitor: [
    [
      'One Click Politics Help: How do I personalize a campaign (of Campaign Monitor)',
      'https://help.oneclickpolitics.com/hc/en-us/articles/228081588-How-do-I-personalize-a-campaign',
    ],
  ],
  customerio: [
    ['Customer.io Docs: Using Liquid', 'https://docs.customer.io/journeys/using-liquid'],
    ['Customer.io Docs: Liquid tag list', 'https://customer.io/docs/liquid-tag-list/'],
  ],
  getresponse: [
    ['GetResponse DevZone: GetResponse Dynamic Content', 'https://github.com/GetResponse/DevZone'],
  ],
  hubspot: [
    ['HubSpot Developers: HubL filters', 'https://developers.hubspot.com/docs/cms/hubl/filters'],
  ],
  iterable: [
    [
      'Iterable Support: Personalizing Templates with Handlebars',
      'https://support.iterable.com/hc/en-us/articles/205480365-Personalizing-Templates-with-Handlebars',
    ],
  ],
  keila: [
    [
      'Keila source: default content of campaigns',
      'https://github.com/pentacent/keila/blob/main/priv/email_templates/default-markdown-content.md',
    ],
    ['Keila: Contacts, custom data', 'https://www.keila.io/docs/contacts'],
  ],
  klaviyo: [
    [
      'Klaviyo Developers: Glossary of variable filters',
      'https://developers.klaviyo.com/en/docs/glossary-of-variable-filters',
    ],
    [
      'Klaviyo Developers: Use filters to customize variables',
      'https://developers.klaviyo.com/en/docs/use-filters-to-customize-variables',
    ],
  ],
  listmonk: [['listmonk Docs: Templating', 'https://listmonk.app/docs/templating']],
  mailchimp: [
    [
      'Mailchimp Developer: Merge fields',
      'https://mailchimp.com/developer/marketing/docs/merge-fields/',
    ],
  ],
  mailerlite: [
    [
      'MailerSend Help: How to use variables (by the makers of MailerLite)',
      'https://www.mailersend.com/help/how-to-use-variables',
    ],
  ],
  mailgun: [
    [
      'Mailgun Docs: Send templates',
      'https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/send-templates',
    ],
  ],
  mautic: [
    [
      'Mautic User Documentation: Variables',
      'https://github.com/mautic/user-documentation/blob/5.x/docs/configuration/variables.rst',
    ],
    [
      'Mautic pull request 6078: Return token value after URL-encoding',
      'https://github.com/mautic/mautic/pull/6078',
    ],
  ],
  omnisend: [
    [
      'Omnisend Support: Use Liquid Templating for Message Personalization',
      'https://support.omnisend.com/en/articles/11197418-use-liquid-templating-for-message-personalization',
    ],
    [
      'Omnisend Support: Personalization in channels',
      'https://support.omnisend.com/templates/personalization-in-channels',
    ],
  ],
  phplist: [
    [
      'phpList manual: Using placeholders',
      'https://www.phplist.org/manual/books/phplist-manual/page/using-placeholders',
    ],
  ],
  salesforce: [
    [
      'Salesforce Developers: URLEncode()',
      'https://developer.salesforce.com/docs/marketing/marketing-cloud-ampscript/references/mc-ampscript-http/mc-ampscript-reference-http-url-encode.html',
    ],
  ],
  sendgrid: [
    [
      'Twilio SendGrid Docs: Using Handlebars',
      'https://www.twilio.com/docs/sendgrid/for-developers/sending-email/using-handlebars',
    ],
    [
      'Twilio changelog: Default syntax for substitution tags',
      'https://www.twilio.com/en-us/changelog/default-syntax-for-substitution-tags',
    ],
  ],
  sendgridlegacy: [
    [
      'Twilio SendGrid Docs: Substitution Tags',
      'https://twilio.com/docs/sendgrid/for-developers/sending-email/substitution-tags',
    ],
  ],
  sendy: [['Sendy: tags beside the editor of campaigns', 'https://sendy.co']],
  zoho: [
    [
      'Zoho Help: What happens if there is no value mapped for a field',
      'https://help.zoho.com/portal/en/kb/marketing-automation-2-0/faqs/settings/general-settings/articles/what-happens-if-there-is-no-value-mapped-for-a-field',
    ],
  ],
};

/** The page as Markdown. */
export function mergeTagsPage(): string {
  const rows = emailServices.map(
    (emailService) =>
      `| ${emailService.name} | ${cellCode(mergeTag(emailService, 'name', 'friend'))} | ${cellCode(mergeTag(emailService, 'offer', ''))} | ${emailService.encoder === undefined ? 'none' : cellCode(emailService.encoder)} | ${emailService.hasFallback ? 'in the tag' : 'the template’s default'} | ${emailService.note.replaceAll('|', String.raw`\|`)} |`,
  );
  return `${[
    '# Merge tags of email services',
    '',
    'An email service puts the values of each contact into the link of an image: `…/v1/render/welcome-banner.jpg?name=`, followed by the merge tag of the service. The first page of',
    'Platen (`/`) and the studio write such links and HTML for the email services below. `npm run docs` generates this page from the list of `src/pages/browser`.',
    '',
    'For all of them:',
    '',
    '- **Encode the value** if the service has a filter for it: `&`, `#`, `+` and `%` have a meaning in a link. Without a filter a value ends at the first `&`, `#` or straight quotation mark. Spaces,',
    '  accents and a single `%` are read as they are. Put such a tag last, as the first page does.',
    '- **A fallback is optional.** An empty value or an unfilled tag draws the default of the template’s variable. Use a fallback in the tag for another text.',
    '- **Let the path end in the extension** (`.jpg`, `.png`): some email services and clients expect one. Outlook on Windows shows PNG, JPEG and GIF only.',
    '- **A signed link** covers all names and values, so they must be in it before it is signed. Sign one link for each contact, and store it as a field of the contact. Braze',
    '  [signs by itself](#braze-signs-by-itself).',
    '- **Words for a missing value**, such as `null`, are texts. List them in `emptyWords` of the template if your data has them.',
    '',
    '| email service | first name, with a fallback | custom field `offer` | encodes with | without a value | note |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    ...htmlChapter,
    '',
    ...columnsChapter(),
    '',
    ...brazeChapter(),
    '',
    '## Sources',
    '',
    'These pages document the syntax. Vendors change it: send yourself a test email before a campaign. Some pages do not name the encoding filter. Klaviyo refers to the built-in filters of',
    'Django; Customer.io, Omnisend and Keila refer to those of Liquid. For Brevo `urlencode` follows from its Django-like language, and for listmonk `urlquery` from Go templates.',
    '',
    'The pages below do not have the fallback of MailerLite, and the names of custom fields of Omnisend and Zoho Campaigns. They come from public templates. The tags of Sendy stand on its home page, and their use with custom fields on a page of another company.',
    '',
    ...emailServices.map(sourcesOf),
  ].join('\n')}\n`;
}

const htmlChapter = [
  '## The HTML',
  '',
  'The HTML that Platen writes for an email has these parts:',
  '',
  '- `width` and `height` are attributes, because Outlook on Windows ignores styles. The width is 600 px unless you choose another one, and never above that of the template.',
  '- `_scale=2` is in the link where the template has fewer than two pixels for each px of the email.',
  '- `display:block` leaves no gap below the image, and `border:0` no frame in a link.',
  '- `alt` says what the image says, with the tags of the service. It is the property `alt` of the template, or else its texts in reading order.',
  '- A link around the image opens the address that you type.',
  '- `_version` pins the link to a published version, if you choose so. Without it the email shows the newest one, for as long as it is kept.',
  '- A dark variant is a `<picture>` whose source has `prefers-color-scheme: dark`: the same link with another value of one variable. Apple Mail shows it, and clients that take',
  '  `<source>` out, such as Gmail and Outlook on Windows, show the other image ([caniemail.com](https://www.caniemail.com/features/html-picture/) lists both). It is left out where a value of a contact is',
  '  not encoded, because a space ends an address in `srcset`.',
];

function columnsChapter(): string[] {
  const rows = emailServices.map((emailService) => {
    const { field, altField, urlTag, altTag, note } = columnRecipe(emailService);
    return `| ${emailService.name} | ${field} | ${altField} | ${cellCode(urlTag)} | ${cellCode(altTag)} | ${note} |`;
  });
  const emailService = emailServices.find(({ id }) => id === 'mailchimp') ?? emailServices[0];
  const look = { target: 'https://shop.example.com/' };
  return [
    '## A link for each row',
    '',
    `A [campaign](campaigns.md) gives a list back with a link for each row: the column \`${urlColumn}\`, and \`${altColumn}\` with what the image says. The email service imports both as fields of the`,
    'contact, and the email has one tag for the whole link. This needs no filter, because the link has its encoding already, and a signed link stays as it was signed. `npm run docs` generates',
    'the table from `src/pages/browser`.',
    '',
    `| email service | \`${urlColumn}\` becomes | \`${altColumn}\` becomes | tag of the link | tag of the text | note |`,
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    'Names of the types of fields are those of the menus of each service, which change. Many services keep 255 characters of a text field: short links have fewer.',
    '',
    ...columnSourceLines(),
    '',
    ...(emailService === undefined
      ? []
      : [
          `The HTML for ${emailService.name}, and a template of 1200 × 400:`,
          '',
          '```html',
          columnSnippet({ width: 1200, height: 400 }, emailService, look),
          '```',
        ]),
  ];
}

function brazeChapter(): string[] {
  const emailService = emailServices.find(signs);
  if (emailService === undefined) return [];
  const size = { width: 1200, height: 400, scaleMax: 2 };
  const template = {
    name: 'Offer',
    file: 'TEMPLATE.jpg',
    texts: [['Hello ', { variable: 'name' }]],
    ...size,
  };
  const values = [{ name: 'name', value: '', isPersonal: true }];
  const snippet = selfSignedSnippet('https://images.example.com', template, values, emailService, {
    name: 'friend',
  });
  return [
    '## Braze signs by itself',
    '',
    'Braze has the Liquid filter `hmac_sha256_hex`, which makes the signature of a link. For a template with `"linkAuth": "signed"` the studio writes:',
    '',
    '```liquid',
    snippet,
    '```',
    '',
    `- \`${signingKeyPlaceholder}\` is a signing key of the template. Keep it in a Content Block that few people may open.`,
    '- `signed` is the text of a [signature](api.md#signed-links): `v2:`, the path without extension, `?`, and the query with its names in alphabetical order. Write it in one line: a line break is a part of it. The filters `replace` give `%20` for a space.',
    '- For an end of the link, begin `query` with `_expires=`, a Unix time in seconds, and `&`.',
    '- A signature has no merge tags in it: do not put tags into the link beside `query`.',
  ];
}

function signs(emailService: EmailService): emailService is EmailService & { signer: string } {
  return emailService.signer !== undefined;
}

/** The list of documentation of field types. */
function columnSourceLines(): string[] {
  const known = emailServices.map(({ id, name }) => {
    const [title = '', url = ''] = columnSources[id] ?? [];
    return `- ${name}: [${title}](${url})`;
  });
  return ['These pages document the types of fields, and some their limits:', '', ...known];
}

function sourcesOf({ id, name }: EmailService): string {
  return `- ${name}: ${(sources[id] ?? []).map(([title, url]) => `[${title}](${url})`).join(', ')}`;
}

/** Inline code for a table cell. A bar would end the cell, and a backtick the code. */
function cellCode(text: string): string {
  const marks = text.includes('`') ? '``' : '`';
  return `${marks}${text.replaceAll('|', String.raw`\|`)}${marks}`;
}
