/** Writes merge tags: the syntax of an email service, and helpers for its tags. */
import { encodeText } from '#language/signed-text.ts';

/** The context of a tag: a link, in which values must be encoded, or a text. */
export type TagContext = 'link' | 'text';

/** One email service. Its texts fit into a label. */
export interface EmailService {
  id: string;
  name: string;
  /** The service's standard field for a first name. */
  firstName: string;
  /** How the service writes the name of a custom field. */
  fieldName: (variable: string) => string;
  /** Writes the tag of a field. `fallback` is not encoded; empty for none. */
  tag: (field: string, fallback: string, context: TagContext) => string;
  /** The filter that encodes a value for a URL; absent if the service's documentation has none for emails. */
  encoder?: string;
  /** The filter for an HMAC-SHA256 in hexadecimal digits, with the key as its argument, which can sign links. */
  signer?: string;
  /** Whether the tag holds the fallback. Otherwise an empty value draws the template's default. */
  hasFallback: boolean;
  /** Whether the service escapes the value and the fallback of a tag in a text, by a filter or by default. */
  escapesTexts?: true;
  /** A hint for users of the email service. */
  note: string;
}

/** The tag for a variable. A variable that is named like a first name gets the service's standard field. */
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

/** Chooses the filter for a link or a text. Liquid does not escape HTML by default. */
export function forContext(context: TagContext, inLinks: string, inTexts: string): string {
  return context === 'link' ? inLinks : inTexts;
}

/** The filter in a link; empty in a text. */
export function inLink(context: TagContext, filter: string): string {
  return forContext(context, filter, '');
}

/** `[name,fallback=friend]` of Campaign Monitor and Sendy. */
export function bracketTag(field: string, fallback: string, context: TagContext): string {
  return `[${field},fallback=${inContext(fallback, context)}]`;
}

/** Encodes a fallback for its context, because a service without a filter does not encode it in a link. */
export function inContext(fallback: string, context: TagContext): string {
  return context === 'link' ? encodeText(fallback) : plain(fallback);
}

/** A filter with its quoted argument; empty for an empty argument. */
export function pipe(filter: string, argument: string): string {
  return argument === '' ? '' : `${filter}'${plain(argument)}'`;
}

/** Removes the characters that could end the quotes or the tag around a text. */
export function plain(text: string): string {
  return text.replaceAll(/['"`{}[\]%|*\\]|\p{Cc}/gu, '');
}

/** A field name of letters, digits and underscores, which every email service accepts. */
export function fieldWord(variable: string): string {
  return variable.trim().replaceAll(/[^\p{L}\p{N}]+/gu, '_');
}

/** Field names in the forms of most services. */
export const lowerSnake = (variable: string): string => fieldWord(variable).toLowerCase();
export const upperSnake = (variable: string): string => fieldWord(variable).toUpperCase();
