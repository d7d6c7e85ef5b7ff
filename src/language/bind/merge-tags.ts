/** Recognizes merge tags that the email service did not replace, so that no reader is greeted as `*|FNAME|*`. */

/**
 * One pattern a family of tools, each matched at a position. Every inner class excludes its own closing
 * character, so that matching is linear in the length of a hostile value.
 */
const tagPatterns: readonly RegExp[] = [
  // Braze: {{${first_name}}}, {{custom_attribute.${x} | default: 'y'}}
  /\{\{[^{}]*\$\{[^{}]*\}[^{}]*\}\}/y,
  // Handlebars, unescaped: {{{ first_name }}}
  /\{\{\{[^{}]*\}\}\}/y,
  // Liquid, Handlebars, Jinja: {{ first_name }}
  /\{\{[^{}]*\}\}/y,
  // Liquid and Jinja blocks: {% if first_name %}
  /\{%[^%{}]*%\}/y,
  // Mailchimp, Mandrill: *|FNAME|*
  /\*\|[^|*]*\|\*/y,
  // Salesforce Marketing Cloud: %%first%%, %%=v(@first)=%%
  /%%[^%]+%%/y,
  // ActiveCampaign, Mailgun: %FIRSTNAME%, %recipient.first_name%
  /%[A-Za-z_][A-Za-z0-9_.:-]*%/y,
  // Salesforce: {!Contact.FirstName}
  /\{![^{}]*\}/y,
  // Mailjet's older form, and others: [[x]]
  /\[\[[^[\]]*\]\]/y,
  // ERB and its relatives: <%= x %>
  /<%[^%<>]*%>/y,
  // Template literals, Eloqua, Java: ${x}
  /\$\{[^{}]*\}/y,
];

/**
 * True when `value` is nothing but unmerged tags, one or several with white space between: then the
 * value counts as not given. A tag inside other text (`Hi {{ name }}`) stays text. Never throws, linear time.
 */
export function isUnmergedTag(value: string): boolean {
  let position = skipSpace(value, 0);
  if (position === value.length) return false;
  while (position < value.length) {
    const end = tagEnd(value, position);
    if (end === undefined) return false;
    position = skipSpace(value, end);
  }
  return true;
}

function tagEnd(value: string, position: number): number | undefined {
  for (const pattern of tagPatterns) {
    pattern.lastIndex = position;
    if (pattern.test(value)) return pattern.lastIndex;
  }
  return undefined;
}

const spacePattern = /\s*/y;

function skipSpace(value: string, position: number): number {
  spacePattern.lastIndex = position;
  spacePattern.test(value);
  return spacePattern.lastIndex;
}
