/**
 * Recognizes merge tags that the email service did not replace, so that no reader is greeted as `*|FNAME|*`.
 *
 * A value that consists of tags only counts as not given. A form that people also write, such as `[VIP]` or `-50-`, is
 * a tag only as the whole value. It must also name a field of contacts or the variable itself.
 */

/**
 * Forms that are tags whatever their content. Every inner class excludes its closing character, so that matching is
 * linear in the length of a hostile value.
 */
const plainForms: readonly string[] = [
  // Braze: {{${first_name}}}, {{custom_attribute.${x} | default: 'y'}}
  String.raw`\{\{[^{}]*\$\{[^{}]*\}[^{}]*\}\}`,
  // Handlebars, unescaped: {{{ first_name }}}
  String.raw`\{\{\{[^{}]*\}\}\}`,
  // Liquid, Handlebars, Jinja, Django and Go: {{ first_name }}; GetResponse: {{CONTACT "subscriber_name"}}
  String.raw`\{\{[^{}]*\}\}`,
  // Blocks of Liquid and Jinja: {% if first_name %}; of Omnisend: [% if first_name %]
  String.raw`\{%[^%{}]*%\}`,
  String.raw`\[%[^%[\]]*%\]`,
  // Mailchimp, Mandrill: *|FNAME|*
  String.raw`\*\|[^|*]*\|\*`,
  // Salesforce: {!Contact.FirstName}
  String.raw`\{![^{}]*\}`,
  // Omnisend, GetResponse, Mailjet's older form, Constant Contact: [[x]]
  String.raw`\[\[[^[\]]*\]\]`,
  // ERB and its relatives: <%= x %>
  String.raw`<%[^%<>]*%>`,
  // Template literals, Eloqua, Java: ${x}; Velocity: $!{x}; Contactlab: ${x}$; Ruby: #{x}; Azure Logic Apps: @{x}
  String.raw`\$!?\{[^{}]*\}\$?`,
  String.raw`[#@]\{[\p{L}_][^{}]*\}`,
  // PHP: <?= $name ?>
  String.raw`<\?[^<>?]*\?>`,
  // Python: %(first_name)s; MailXpert, Visual Studio: $(First-Name)
  String.raw`%\([\p{L}_][^()]*\)s`,
  String.raw`\$\([\p{L}_][^()]*\)`,
  // Word: { MERGEFIELD FirstName \* MERGEFORMAT }
  String.raw`\{\s*MERGEFIELD\s[^{}]*\}`,
  // Siebel, PeopleSoft: <pstag:profile value="…" />
  String.raw`<pstag:[^<>]*>`,
  // AcyMailing: {subtag:name|part:first}
  String.raw`\{(?:subtag|subscriber):[^{}]*\}`,
  // Benchmark Email: [contact_attribute:firstname]
  String.raw`\[contact_attribute:[^[\]]*\]`,
  // MailerLite, MailerSend: {$name}
  String.raw`\{\$[\p{L}_][^{}]*\}`,
  // Mautic: {contactfield=firstname|there}, {ownerfield=email}
  String.raw`\{[A-Za-z]*field=[^{}]*\}`,
  // Campaign Monitor, Sendy: [firstname,fallback=there]
  String.raw`\[[^[\],]{1,128},\s*fallback=[^[\]]*\]`,
  // phpList: [FIRST NAME%%there]
  String.raw`\[[^[\]%]{1,128}%%[^[\]]*\]`,
  // MailPoet: [subscriber:firstname | default:reader]
  String.raw`\[subscriber:[^[\]]*\]`,
  // Zoho Campaigns: $[FNAME|there]$
  String.raw`\$\[[\p{L}_][^[\]]*\]\$`,
  // Moosend: #recipient:name#
  String.raw`#recipient:[^#]*#`,
  // Go templates, such as those of listmonk, write this for a missing field
  String.raw`<no value>`,
];

/** Forms of percent signs as a whole value: %%first%%, %%=v(@first)=%% of Salesforce, %FIRSTNAME%, %recipient.name%. */
const percentForms: readonly string[] = [
  String.raw`%%[^%]+%%`,
  String.raw`%[\p{L}_][\p{L}\p{N}_.:-]*%`,
];

/** Forms of percent signs inside a text, where `50% off, 20% back` and `100%cotton%` are no tags. */
const percentFormsInText: readonly string[] = [
  String.raw`(?<![\p{L}\p{N}%])%%(?:=[^%]+=|[\p{L}_][^%]*)%%(?![\p{L}\p{N}%])`,
  String.raw`(?<![\p{L}\p{N}%])%[\p{L}_][\p{L}\p{N}_.:-]*%(?![\p{L}\p{N}%])`,
];

/** Tags in a row, with white space between them. */
const tagAt = new RegExp([...plainForms, ...percentForms].join('|'), 'uy');
const tagInText = new RegExp([...plainForms, ...percentFormsInText].join('|'), 'u');

/**
 * A word between signs, possibly with a fallback: `[FIRSTNAME]` of phpList, `-name-` of SendGrid,
 * `{first_name, "there"}` of Ghost, `{firstname:there}` of Elastic Email, `#firstname#` of Flexmail, `@FIRSTNAME@` of
 * Dotdigital, `~Contact.FirstName~` of Keap, `$FIRST_NAME$` of Responsys, `##firstname##` of NewsMAN, `~~NAME~~` of
 * e-Marketeer, `«FirstName»` and `<<FirstName>>` of Word. The groups capture the word.
 */
const word = String.raw`[\p{L}_][\p{L}\p{N} _.-]{0,127}`;
const wordInSigns = String.raw`[\p{L}_][\p{L}\p{N} _.]{0,127}`;
const wordAt = new RegExp(
  String.raw`\[(${word})(?:[,:|][^[\]]*)?\]|\{(${word})(?:[,:|][^{}]*)?\}|([#@$~-]{1,2})(${wordInSigns})\3|«(${wordInSigns})»|<<(${wordInSigns})>>`,
  'uy',
);

/**
 * Names of contact fields, in lower case and without signs. People do not write these words between signs as a text.
 */
const contactFields: ReadonlySet<string> = new Set(
  `name firstname lastname fullname givenname familyname surname forename middlename nickname fname lname mname username
   contactname subscriberfirstname subscriberlastname subscribername email emailaddress company companyname organization
   city state country zip zipcode postalcode address phone phonenumber mobile birthday birthdate dateofbirth gender title
   salutation jobtitle position website vorname nachname anrede firma stadt prenom nom nombre apellido apellidos nome cognome
   sobrenome voornaam achternaam imie nazwisko fornamn efternamn fornavn etternavn efternavn etunimi sukunimi`.split(
    /\s+/,
  ),
);

/**
 * True if `value` consists of unmerged tags only, one or several with white space between. The value then counts as not
 * given. A tag inside other text (`Hi {{ name }}`) stays text. `variable` is the name of the variable: `[OFFER]` is a
 * tag for the variable `offer`. Never throws. Linear time.
 */
export function isUnmergedTag(value: string, variable = ''): boolean {
  return spellingsOf(value).some((spelling) => isRowOfTags(spelling, variable));
}

/**
 * The first unmerged tag anywhere in `value`; undefined without one. Unlike `isUnmergedTag`, this function also finds
 * tags inside a text, for reports before sending. Inside a text, only forms that are tags whatever their content count.
 */
export function findUnmergedTag(value: string, variable = ''): string | undefined {
  if (isUnmergedTag(value, variable)) return value.trim();
  for (const spelling of spellingsOf(value)) {
    const [tag] = tagInText.exec(spelling) ?? [];
    if (tag !== undefined) return tag;
  }
  return undefined;
}

/** Maximum number of encodings to decode. Services and redirects encode a link again: `%257B%257Bname%257D%257D`. */
const encodingsMax = 3;

/**
 * A value and its forms with one to three encodings removed: those of URLs, and of HTML, as email editors write
 * `&#123;&#123;name&#125;&#125;`. Only ASCII and « » are decoded: the signs of tags.
 */
function spellingsOf(value: string): string[] {
  const spellings = [value];
  for (let text = value; spellings.length <= encodingsMax; spellings.push(text)) {
    const decoded = decodeEntities(decodePercents(text));
    if (decoded === text) break;
    text = decoded;
  }
  return spellings;
}

function decodePercents(text: string): string {
  if (!text.includes('%')) return text;
  return text.replaceAll(/%(?:C2%([AB]B)|([2-7][\da-f]))/gi, (_, quote?: string, ascii = '') =>
    String.fromCodePoint(Number.parseInt(quote ?? String(ascii), 16)),
  );
}

/** HTML entity names of the signs in tags. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  lbrace: '{',
  lcub: '{',
  rbrace: '}',
  rcub: '}',
  lbrack: '[',
  lsqb: '[',
  rbrack: ']',
  rsqb: ']',
  ast: '*',
  verbar: '|',
  vert: '|',
  percnt: '%',
  dollar: '$',
  num: '#',
  excl: '!',
  equals: '=',
  laquo: '«',
  raquo: '»',
};

/** HTML entities. The semicolon after a number is optional, as in browsers. */
const entityPattern =
  /&(?:#x0*([2-7][\da-f]|[ab]b)(?![\da-f]);?|#0*(3[2-9]|[4-9]\d|1[01]\d|12[0-6]|171|187)(?!\d);?|([a-z]{2,6});)/gi;

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(entityPattern, (whole, hex?: string, decimal?: string, name = '') => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return entities[String(name).toLowerCase()] ?? whole;
  });
}

function isRowOfTags(value: string, variable: string): boolean {
  let position = skipSpace(value, 0);
  if (position === value.length) return false;
  while (position < value.length) {
    const end = tagEnd(value, position, variable);
    if (end === undefined) return false;
    position = skipSpace(value, end);
  }
  return true;
}

function tagEnd(value: string, position: number, variable: string): number | undefined {
  tagAt.lastIndex = position;
  if (tagAt.test(value)) return tagAt.lastIndex;
  wordAt.lastIndex = position;
  const [, inBrackets, inBraces, , inSigns, inQuotes, inAngles] = wordAt.exec(value) ?? [];
  const field = inBrackets ?? inBraces ?? inSigns ?? inQuotes ?? inAngles;
  return field !== undefined && isField(field, variable) ? wordAt.lastIndex : undefined;
}

/** Whether a word names a contact field or the variable itself: `Contact.FirstName`, `First name`, `PRÉNOM`. */
function isField(field: string, variable: string): boolean {
  const name = lettersOf(field);
  if (name === '') return false;
  return (
    contactFields.has(name) ||
    contactFields.has(lettersOf(lastPart(field))) ||
    name === lettersOf(lastPart(variable))
  );
}

/** The part after the last dot. The variable of a list's field has a name such as `items.0.title`. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function lettersOf(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

const spacePattern = /\s*/y;

function skipSpace(value: string, position: number): number {
  spacePattern.lastIndex = position;
  spacePattern.test(value);
  return spacePattern.lastIndex;
}

/** Words that programs write for a missing value. A template chooses which of them count as empty. */
export const emptyWords = ['null', 'undefined', 'NaN', 'N/A', 'None'] as const;

/** Whether `value` is exactly one of `words`, ignoring case and outer white space. */
export function isEmptyWord(
  value: string,
  words: readonly (typeof emptyWords)[number][] | undefined,
): boolean {
  if (words === undefined) return false;
  const text = value.trim().toLowerCase();
  return words.some((each) => each.toLowerCase() === text);
}
