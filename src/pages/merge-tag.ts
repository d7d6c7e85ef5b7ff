/** How a merge tag is written: the facts of an email service, and the pieces that tags are made of. */

/** Where a tag stands: in a link, where values must be encoded, or in a text. */
export type TagContext = 'link' | 'text';

/** One email service. Texts are short enough for a label. */
export interface EmailService {
  id: string;
  name: string;
  /** The service's standard field for a first name. */
  firstName: string;
  /** How the service writes the name of a custom field. */
  fieldName: (variable: string) => string;
  /** The tag for the text of an email. `fallback` is not encoded; empty for none. */
  tag: (field: string, fallback: string, context: TagContext) => string;
  /** The filter that encodes a value for a URL; undefined where the service's documentation has none for emails. */
  encoder?: string;
  /** The filter that makes an HMAC-SHA256 in hexadecimal digits, with the key as its argument: such an email service signs links. */
  signer?: string;
  /** Whether the tag itself holds the fallback; else the template's default is drawn for an empty value. */
  hasFallback: boolean;
  /** The service escapes what a tag in a text becomes, the fallback too: by a filter of the tag, or by itself. */
  escapesTexts?: true;
  /** What somebody who uses the email service has to know. */
  note: string;
}

/** The tag of `emailService` for a variable of a template. A variable named like a first name takes the service's standard field. */
export function mergeTag(
  emailService: EmailService,
  variable: string,
  fallback: string,
  context: TagContext = 'link',
): string {
  const field = /^(first[ _-]?)?name$/i.test(variable)
    ? emailService.firstName
    : emailService.fieldName(variable);
  return emailService.tag(field, fallback, context);
}

/** The filter of a link, or that of a text: Liquid escapes no signs of HTML by itself. */
export function forContext(context: TagContext, inLinks: string, inTexts: string): string {
  return context === 'link' ? inLinks : inTexts;
}

/** A filter that only a link needs. */
export function inLink(context: TagContext, filter: string): string {
  return forContext(context, filter, '');
}

/** `[name,fallback=friend]` of Campaign Monitor and Sendy. */
export function bracketTag(field: string, fallback: string, context: TagContext): string {
  return `[${field},fallback=${inContext(fallback, context)}]`;
}

/** A fallback as it stands in the email: a service without a filter does not encode it for a link. */
export function inContext(fallback: string, context: TagContext): string {
  return context === 'link' ? encodeValue(fallback) : plain(fallback);
}

/** A filter with its argument in quotes; nothing for an empty argument. */
export function pipe(filter: string, argument: string): string {
  return argument === '' ? '' : `${filter}'${plain(argument)}'`;
}

/** Text that ends neither its quotes nor its tag. */
export function plain(text: string): string {
  return text.replaceAll(/['"`{}[\]%|*\\]|\p{Cc}/gu, '');
}

/** Text for a query. Also encodes `'`: it ends attributes in single quotes, which tags with `"` need. */
export function encodeValue(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** Letters, digits and underscores: what every email service takes for a field's name. */
export function fieldWord(variable: string): string {
  return variable.trim().replaceAll(/[^\p{L}\p{N}]+/gu, '_');
}

/** Names of fields as most services write them. */
export const lowerSnake = (variable: string): string => fieldWord(variable).toLowerCase();
export const upperSnake = (variable: string): string => fieldWord(variable).toUpperCase();
