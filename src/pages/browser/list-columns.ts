/**
 * Describes how email services import the columns of a campaign's list: a link and an alternative text for each
 * contact.
 */
import { mergeTag } from './merge-tag.ts';
import type { EmailService } from './merge-tag.ts';
import { imageHtml } from './snippets.ts';
import type { EmailLook, SnippetTemplate } from './snippets.ts';

/** Names of the columns. */
export const urlColumn = 'platen_url';
export const altColumn = 'platen_alt';

/** The import of the columns in an email service, as parts of sentences. */
interface ColumnImport {
  /** Kind of field for `platen_url`, after "import the column as". */
  field: string;
  /** Kind of field for `platen_alt`; absent: another one of the same kind. */
  altField?: string;
  /** A further hint. */
  note?: string;
}

/** By the id of the email service. */
export const columnImports: Readonly<Record<string, ColumnImport>> = {
  activecampaign: { field: 'a contact field of type Text Area' },
  braze: {
    field: 'a custom attribute of type string',
    note: 'A string has at most 255 characters: take short links.',
  },
  brevo: { field: 'a contact attribute of type Text' },
  campaignmonitor: {
    field: 'a custom field of type Text',
    note: 'A field has at most 250 characters: take short links.',
  },
  customerio: { field: 'an attribute of the person' },
  getresponse: { field: 'a custom field of type Text' },
  hubspot: { field: 'a contact property of type Single-line text' },
  iterable: { field: 'a field of the user profile, of type string' },
  keila: {
    field: 'a key of the contact’s data',
    note: 'Keila stores custom fields of contacts as JSON: {"platen_url": "…", "platen_alt": "…"}.',
  },
  klaviyo: { field: 'a custom property of type Text' },
  listmonk: {
    field: 'a key of the subscriber’s attributes',
    note: 'The CSV of listmonk has one column “attributes” with JSON: {"platen_url": "…", "platen_alt": "…"}.',
  },
  mailchimp: { field: 'an audience field of type Website', altField: 'one of type Text' },
  mailerlite: { field: 'a field of type Text' },
  mailgun: {
    field: 'a recipient variable',
    note: 'A program sends both with each message: Mailgun imports no lists for this.',
  },
  mautic: { field: 'a contact field of type URL', altField: 'one of type Text' },
  omnisend: { field: 'a custom property of type Text' },
  phplist: {
    field: 'an attribute of type textline',
    note: 'Name the attributes “platen url” and “platen alt”.',
  },
  salesforce: {
    field: 'a Text field of 2,000 characters in the data extension',
    note: 'A Text field has 50 characters unless you say otherwise.',
  },
  sendgrid: { field: 'a custom field of type Text' },
  sendgridlegacy: {
    field: 'a substitution',
    note: 'A program sends both with each message.',
  },
  sendy: { field: 'a custom field of type Text' },
  zoho: {
    field: 'a custom field of type Text',
    note: 'Set the length of the field: its default in the API is 20 characters.',
  },
};

/** Instructions for the columns in one email service. */
export interface ColumnRecipe extends Required<Pick<ColumnImport, 'field' | 'altField'>> {
  /** Empty for none. */
  note: string;
  /** Merge tag for the link of a contact. */
  urlTag: string;
  altTag: string;
}

/** The recipe of an email service. */
export function columnRecipe(emailService: EmailService): ColumnRecipe {
  const { field = '', altField, note } = columnImports[emailService.id] ?? {};
  return {
    field,
    altField: altField ?? 'another one',
    note: note ?? '',
    // Context `text`: the tag is the whole link, which is encoded already.
    urlTag: mergeTag(emailService, urlColumn, '', 'text'),
    altTag: mergeTag(emailService, altColumn, '', 'text'),
  };
}

/** The HTML of each contact's image, with tags for the columns of the list. */
export function columnSnippet(
  template: Pick<SnippetTemplate, 'width' | 'height'>,
  emailService: EmailService,
  look: EmailLook,
): string {
  const { urlTag, altTag } = columnRecipe(emailService);
  return imageHtml(template, urlTag, [{ text: altTag, isTag: true }], look);
}
