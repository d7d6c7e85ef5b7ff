/** Merge tags of each email service: tag, URL-encode filter and fallback, for the pages, the studio and the docs. */

/** Where a tag stands: in a link, where values must be encoded, or in a text. */
export type TagPlace = 'link' | 'text';

/** One email service. Texts are short enough for a label. */
export interface MailTool {
  id: string;
  name: string;
  /** The service's standard field for a first name. */
  firstName: string;
  /** How the service writes the name of a custom field. */
  fieldName: (variable: string) => string;
  /** The tag for the text of an email. `fallback` is not encoded; empty for none. */
  tag: (field: string, fallback: string, place: TagPlace) => string;
  /** The filter that encodes a value for a URL; undefined where the service's documentation has none for emails. */
  encoder?: string;
  /** Whether the tag itself holds the fallback; else the template's default is drawn for an empty value. */
  hasFallback: boolean;
  /** What somebody who uses the tool has to know. */
  note: string;
  /** Documentation that the syntax was taken from. */
  sources: readonly string[];
}

const lowerSnake = (variable: string): string => fieldWord(variable).toLowerCase();
const upperSnake = (variable: string): string => fieldWord(variable).toUpperCase();

/** Mailing tools in the order of a list that people search: by name. */
export const mailTools: readonly MailTool[] = [
  {
    id: 'activecampaign',
    name: 'ActiveCampaign',
    firstName: 'FIRSTNAME',
    fieldName: upperSnake,
    tag: (field) => `%${field}%`,
    hasFallback: false,
    note: 'The tag has no filters: a value with & or # ends there. Keep such values out of the field.',
    sources: ['https://activecampaign.design/docs/patterns/personalization'],
  },
  {
    id: 'braze',
    name: 'Braze',
    firstName: 'first_name',
    fieldName: lowerSnake,
    tag: (field, fallback, place) => {
      const attribute = field === 'first_name' ? '${first_name}' : `custom_attribute.\${${field}}`;
      return `{{${attribute}${pipe(' | default: ', fallback)}${inLink(place, ' | url_encode')}}}`;
    },
    encoder: 'url_encode',
    hasFallback: true,
    note: 'Fields that you define are custom attributes.',
    sources: [
      'https://www.braze.com/docs/user_guide/personalization_and_dynamic_content/liquid/advanced_filters/',
      'https://www.braze.com/docs/user_guide/personalization_and_dynamic_content/liquid/setting_default_values/',
    ],
  },
  {
    id: 'brevo',
    name: 'Brevo',
    firstName: 'FIRSTNAME',
    fieldName: upperSnake,
    tag: (field, fallback, place) =>
      `{{ contact.${field}${pipe('|default:', fallback)}${inLink(place, '|urlencode')} }}`,
    encoder: 'urlencode',
    hasFallback: true,
    note: 'In the drag-and-drop editor write the tag by hand: the picker adds no filters.',
    sources: ['https://help.brevo.com/hc/en-us/articles/4405381108626'],
  },
  {
    id: 'customerio',
    name: 'Customer.io',
    firstName: 'first_name',
    fieldName: lowerSnake,
    tag: (field, fallback, place) =>
      `{{customer.${field} | default: '${plain(fallback)}'${inLink(place, ' | url_encode')}}}`,
    encoder: 'url_encode',
    hasFallback: true,
    note: 'A missing attribute stops the message, unless the tag has its default filter.',
    sources: [
      'https://docs.customer.io/journeys/using-liquid',
      'https://customer.io/docs/liquid-tag-list/',
    ],
  },
  {
    id: 'hubspot',
    name: 'HubSpot',
    firstName: 'firstname',
    fieldName: lowerSnake,
    tag: (field, fallback, place) =>
      `{{ personalization_token('contact.${field}', '${place === 'link' ? encodeValue(fallback) : plain(fallback)}') }}`,
    hasFallback: true,
    note: 'HubSpot applies no filters to tokens in emails: a value with & or # ends there.',
    sources: ['https://developers.hubspot.com/docs/cms/hubl/filters'],
  },
  {
    id: 'klaviyo',
    name: 'Klaviyo',
    firstName: 'first_name',
    fieldName: (variable) => variable,
    tag: (field, fallback, place) => {
      const value = field === 'first_name' ? field : `person|lookup:'${plain(field)}'`;
      return `{{ ${value}${pipe('|default:', fallback)}${inLink(place, '|urlencode')} }}`;
    },
    encoder: 'urlencode',
    hasFallback: true,
    note: 'Filters take no spaces around the bar.',
    sources: [
      'https://developers.klaviyo.com/en/docs/glossary-of-variable-filters',
      'https://developers.klaviyo.com/en/docs/use-filters-to-customize-variables',
    ],
  },
  {
    id: 'mailchimp',
    name: 'Mailchimp',
    firstName: 'FNAME',
    fieldName: (variable) => upperSnake(variable).slice(0, 10),
    tag: (field) => `*|${field}|*`,
    hasFallback: false,
    note: 'The tag has no filters: a value with & or # ends there. Set a default merge value in the audience, or let the template’s default stand.',
    sources: ['https://mailchimp.com/developer/marketing/docs/merge-fields/'],
  },
  {
    id: 'mailgun',
    name: 'Mailgun',
    firstName: 'first_name',
    fieldName: lowerSnake,
    tag: (field) => `%recipient.${field}%`,
    hasFallback: false,
    note: 'URL-encode the values of the recipient variables that you send. Tags are filled in batch sends only.',
    sources: [
      'https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/send-templates',
    ],
  },
  {
    id: 'salesforce',
    name: 'Salesforce Marketing Cloud',
    firstName: 'First Name',
    fieldName: (variable) => variable,
    tag: (field, fallback, place) => {
      const name = `[${field.replaceAll(/[[\]]/g, '')}]`;
      const value = fallback === '' ? name : `IIF(EMPTY(${name}),'${plain(fallback)}',${name})`;
      return place === 'link' ? `%%=URLEncode(${value},true,true)=%%` : `%%=v(${value})=%%`;
    },
    encoder: 'URLEncode',
    hasFallback: true,
    note: 'AMPscript; the third argument encodes text that is no URL by itself.',
    sources: [
      'https://developer.salesforce.com/docs/marketing/marketing-cloud-ampscript/references/mc-ampscript-http/mc-ampscript-reference-http-url-encode.html',
    ],
  },
  {
    id: 'sendgrid',
    name: 'SendGrid',
    firstName: 'first_name',
    fieldName: lowerSnake,
    tag: (field, fallback, place) =>
      fallback === ''
        ? `{{insert ${field}}}`
        : `{{insert ${field} "default=${place === 'link' ? encodeValue(fallback) : plain(fallback)}"}}`,
    hasFallback: true,
    note: 'Handlebars there has no URL filter: URL-encode the values that you send.',
    sources: [
      'https://www.twilio.com/docs/sendgrid/for-developers/sending-email/using-handlebars',
      'https://www.twilio.com/en-us/changelog/default-syntax-for-substitution-tags',
    ],
  },
];

/** The tag of `tool` for a variable of a template. A variable named like a first name takes the service's standard field. */
export function mergeTag(
  tool: MailTool,
  variable: string,
  fallback: string,
  place: TagPlace = 'link',
): string {
  const field = /^(first[ _-]?)?name$/i.test(variable) ? tool.firstName : tool.fieldName(variable);
  return tool.tag(field, fallback, place);
}

/** A filter that only a link needs. */
function inLink(place: TagPlace, filter: string): string {
  return place === 'link' ? filter : '';
}

/** A filter with its argument in quotes; nothing for an empty argument. */
function pipe(filter: string, argument: string): string {
  return argument === '' ? '' : `${filter}'${plain(argument)}'`;
}

/** Text that ends neither its quotes nor its tag. */
function plain(text: string): string {
  return text.replaceAll(/['"{}%|*\\]|\p{Cc}/gu, '');
}

/** Text for a query. Also encodes `'`: it ends attributes in single quotes, which tags with `"` need. */
export function encodeValue(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** Letters, digits and underscores: what every tool takes for a field's name. */
function fieldWord(variable: string): string {
  return variable.trim().replaceAll(/[^\p{L}\p{N}]+/gu, '_');
}
