/**
 * The email services with tag, URL-encode filter and fallback, for the pages, the studio and the docs.
 * `src/cli/build/merge-tags-page.ts` lists the source of each syntax.
 */
import {
  bracketTag,
  fieldWord,
  forContext,
  inLink,
  inContext,
  lowerSnake,
  pipe,
  plain,
  upperSnake,
} from './merge-tag.ts';
import type { EmailService } from './merge-tag.ts';

/** Sorted by name, as people search them in a list. */
export const emailServices: readonly EmailService[] = [
  {
    id: 'activecampaign',
    name: 'ActiveCampaign',
    firstName: 'FIRSTNAME',
    fieldName: upperSnake,
    tag: (field) => `%${field}%`,
    hasFallback: false,
    note: 'The tag has no filters: a value with & or # ends there. Keep such values out of the field.',
  },
  {
    id: 'braze',
    name: 'Braze',
    firstName: 'first_name',
    fieldName: lowerSnake,
    tag: (field, fallback, context) => {
      const attribute = field === 'first_name' ? '${first_name}' : `custom_attribute.\${${field}}`;
      return `{{${attribute}${pipe(' | default: ', fallback)}${forContext(context, ' | url_encode', ' | escape')}}}`;
    },
    encoder: 'url_encode',
    signer: 'hmac_sha256_hex',
    hasFallback: true,
    escapesTexts: true,
    note: 'Fields that you define are custom attributes.',
  },
  {
    id: 'brevo',
    name: 'Brevo',
    firstName: 'FIRSTNAME',
    fieldName: upperSnake,
    tag: (field, fallback, context) =>
      `{{ contact.${field}${pipe('|default:', fallback)}${inLink(context, '|urlencode')} }}`,
    encoder: 'urlencode',
    hasFallback: true,
    note: 'In the drag-and-drop editor write the tag by hand: the picker adds no filters.',
  },
  {
    id: 'campaignmonitor',
    name: 'Campaign Monitor',
    firstName: 'firstname',
    fieldName: (variable) => fieldWord(variable).replaceAll('_', ''),
    tag: bracketTag,
    hasFallback: true,
    note: 'The tag has no filters: a value with & or # ends there.',
  },
  {
    id: 'customerio',
    name: 'Customer.io',
    firstName: 'first_name',
    fieldName: lowerSnake,
    tag: (field, fallback, context) =>
      `{{customer.${field} | default: '${plain(fallback)}'${forContext(context, ' | url_encode', ' | escape')}}}`,
    encoder: 'url_encode',
    hasFallback: true,
    escapesTexts: true,
    note: 'A missing attribute stops the message, unless the tag has its default filter.',
  },
  {
    id: 'getresponse',
    name: 'GetResponse',
    firstName: 'subscriber_first_name',
    fieldName: lowerSnake,
    tag: (field, fallback, context) => {
      const kind = field === 'subscriber_first_name' ? 'CONTACT' : 'CUSTOM';
      const text = inContext(fallback, context);
      return `{{${kind} \`${field}\`${text === '' ? '' : ` \`${text}\``}}}`;
    },
    hasFallback: true,
    note: 'Tags in images are not encoded: a value with & or # ends there.',
  },
  {
    id: 'hubspot',
    name: 'HubSpot',
    firstName: 'firstname',
    fieldName: lowerSnake,
    tag: (field, fallback, context) =>
      `{{ personalization_token('contact.${field}', '${inContext(fallback, context)}') }}`,
    hasFallback: true,
    note: 'HubSpot applies no filters to tokens in emails: a value with & or # ends there.',
  },
  {
    id: 'iterable',
    name: 'Iterable',
    firstName: 'firstName',
    fieldName: (variable) => fieldWord(variable),
    tag: (field, fallback, context) => {
      const tag =
        fallback === '' ? `{{${field}}}` : `{{defaultIfEmpty ${field} '${plain(fallback)}'}}`;
      return context === 'link' ? `{{#urlEncode}}${tag}{{/urlEncode}}` : tag;
    },
    encoder: '#urlEncode',
    hasFallback: true,
    escapesTexts: true,
    note: '#urlEncode is a block: it ends with /urlEncode.',
  },
  {
    id: 'keila',
    name: 'Keila',
    firstName: 'first_name',
    fieldName: lowerSnake,
    tag: (field, fallback, context) => {
      const value = field === 'first_name' ? 'contact.first_name' : `contact.data.${field}`;
      return `{{ ${value}${pipe(' | default: ', fallback)}${forContext(context, ' | url_encode', ' | escape')} }}`;
    },
    encoder: 'url_encode',
    hasFallback: true,
    escapesTexts: true,
    note: 'Fields that you define are in the data of a contact.',
  },
  {
    id: 'klaviyo',
    name: 'Klaviyo',
    firstName: 'first_name',
    fieldName: (variable) => variable,
    tag: (field, fallback, context) => {
      const value = field === 'first_name' ? field : `person|lookup:'${plain(field)}'`;
      return `{{ ${value}${pipe('|default:', fallback)}${inLink(context, '|urlencode')} }}`;
    },
    encoder: 'urlencode',
    hasFallback: true,
    note: 'Filters take no spaces around the bar.',
  },
  {
    id: 'listmonk',
    name: 'listmonk',
    firstName: 'FirstName',
    fieldName: lowerSnake,
    tag: (field, fallback, context) => {
      const value =
        field === 'FirstName' ? '.Subscriber.FirstName' : `.Subscriber.Attribs.${field}`;
      const text = fallback === '' ? '' : ` | default "${plain(fallback)}"`;
      return `{{ ${value}${text}${inLink(context, ' | urlquery')} }}`;
    },
    encoder: 'urlquery',
    hasFallback: true,
    escapesTexts: true,
    note: 'Fields that you define are attributes of a subscriber.',
  },
  {
    id: 'mailchimp',
    name: 'Mailchimp',
    firstName: 'FNAME',
    fieldName: (variable) => upperSnake(variable).slice(0, 10),
    tag: (field) => `*|${field}|*`,
    hasFallback: false,
    note: 'The tag has no filters: a value with & or # ends there. Set a default merge value in the audience, or let the template’s default stand.',
  },
  {
    id: 'mailerlite',
    name: 'MailerLite',
    firstName: 'name',
    fieldName: lowerSnake,
    tag: (field, fallback, context) => {
      const text = inContext(fallback, context);
      return text === '' ? `{$${field}}` : `{$${field}|default('${text}')}`;
    },
    hasFallback: true,
    note: 'The tag has no filter for links: a value with & or # ends there.',
  },
  {
    id: 'mailgun',
    name: 'Mailgun',
    firstName: 'first_name',
    fieldName: lowerSnake,
    tag: (field) => `%recipient.${field}%`,
    hasFallback: false,
    note: 'URL-encode the values of the recipient variables that you send. Tags are filled in batch sends only.',
  },
  {
    id: 'mautic',
    name: 'Mautic',
    firstName: 'firstname',
    fieldName: lowerSnake,
    tag: (field, fallback, context) => {
      if (context === 'link') return `{contactfield=${field}|true}`;
      return `{contactfield=${field}${fallback === '' ? '' : `|${plain(fallback)}`}}`;
    },
    encoder: '|true',
    hasFallback: false,
    note: '|true encodes the value, and allows no fallback beside it: an empty value draws the template’s default.',
  },
  {
    id: 'omnisend',
    name: 'Omnisend',
    firstName: 'first_name',
    fieldName: lowerSnake,
    tag: (field, fallback, context) => {
      const value = field === 'first_name' ? field : `custom_properties.${field}`;
      return `[[ contact.${value}${pipe(' | default: ', fallback)}${forContext(context, ' | url_encode', ' | escape')} ]]`;
    },
    encoder: 'url_encode',
    hasFallback: true,
    escapesTexts: true,
    note: 'Liquid in square brackets. A test email shows the tags: choose a contact in the preview.',
  },
  {
    id: 'phplist',
    name: 'phpList',
    firstName: 'FIRSTNAME',
    fieldName: (variable) => upperSnake(variable).replaceAll('_', ' '),
    tag: (field, fallback, context) => {
      const text = inContext(fallback, context);
      return `[${field}${text === '' ? '' : `%%${text}`}]`;
    },
    hasFallback: true,
    note: 'The tag is the name of the attribute in capital letters. It has no filters: a value with & or # ends there.',
  },
  {
    id: 'salesforce',
    name: 'Salesforce Marketing Cloud',
    firstName: 'First Name',
    fieldName: (variable) => variable,
    tag: (field, fallback, context) => {
      const name = `[${field.replaceAll(/[[\]]/g, '')}]`;
      const value = fallback === '' ? name : `IIF(EMPTY(${name}),'${plain(fallback)}',${name})`;
      return context === 'link' ? `%%=URLEncode(${value},true,true)=%%` : `%%=v(${value})=%%`;
    },
    encoder: 'URLEncode',
    hasFallback: true,
    note: 'AMPscript; the third argument encodes text that is no URL by itself.',
  },
  {
    id: 'sendgrid',
    name: 'SendGrid',
    firstName: 'first_name',
    fieldName: lowerSnake,
    tag: (field, fallback, context) =>
      fallback === ''
        ? `{{insert ${field}}}`
        : `{{insert ${field} "default=${inContext(fallback, context)}"}}`,
    hasFallback: true,
    escapesTexts: true,
    note: 'Handlebars there has no URL filter: URL-encode the values that you send.',
  },
  {
    id: 'sendgridlegacy',
    name: 'SendGrid, substitution tags',
    firstName: 'first_name',
    fieldName: lowerSnake,
    tag: (field) => `-${field}-`,
    hasFallback: false,
    note: 'Of the SMTP API and older templates. URL-encode the values that you send.',
  },
  {
    id: 'sendy',
    name: 'Sendy',
    firstName: 'Name',
    fieldName: (variable) => fieldWord(variable),
    tag: bracketTag,
    hasFallback: true,
    note: 'Name is the whole name. The tag has no filters: a value with & or # ends there.',
  },
  {
    id: 'zoho',
    name: 'Zoho Campaigns',
    firstName: 'FNAME',
    fieldName: (variable) => `UD:${upperSnake(variable)}`,
    tag: (field, fallback, context) => {
      const text = inContext(fallback, context);
      return `$[${field}${text === '' ? '' : `|${text}`}]$`;
    },
    hasFallback: true,
    note: 'The tag has no filters: a value with & or # ends there. Fields that you define begin with UD:.',
  },
];
