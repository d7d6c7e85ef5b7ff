/** Generates the documents and types that `npm run docs` writes. */
import { documentSchema } from '#language/schema/document.ts';
import { formatsMax } from '#language/values/formatted-binding.ts';
import { valueFormats } from '#language/values/value-formats.ts';
import type { ValueFormat } from '#language/values/value-formats.ts';
import { sections } from '../../settings.ts';
import { errorTable } from '../../foundation/errors.ts';
import { linkPreviews, emailClients } from '../../render/image-request.ts';
import type { ImageFetcher } from '../../render/image-request.ts';
import { endpoints } from '../../app.ts';
import { postmanCollection } from '../../api/openapi/collection.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { describedBase } from '../../pages/build.ts';
import { clientTypes } from './client-types.ts';
import { mergeTagsPage } from './merge-tags-page.ts';
import { writtenForms } from './written-forms.ts';

type Section = keyof typeof sections;

/** Heading of each section of the configuration. */
const sectionTitles: Record<Section, string> = {
  http: 'Server',
  templates: 'Data',
  render: 'Rendering',
  process: 'Start and stop',
  campaigns: 'Campaigns',
  cache: 'Caches',
  images: 'Images from links',
  commands: 'Command line',
  log: 'Log',
};

/** The causes of each error code. */
const errorCauses: Record<keyof typeof errorTable, string> = {
  BAD_REQUEST:
    'a value, an option or an image cannot be used; the message names it, the cause and what was expected',
  UNAUTHORIZED: 'the template requires a signature or a key, which is missing, wrong or expired',
  FORBIDDEN: 'the key is valid but lacks the scope of the request',
  NOT_FOUND:
    'the template does not exist, is not published or is archived, or the version does not exist',
  METHOD_NOT_ALLOWED: 'the path does not support the method; `Allow` lists the supported ones',
  REQUEST_TIMEOUT: 'the body paused for 5 s, or was not complete within a minute',
  CONFLICT: 'the resource exists already, or its state does not allow the change',
  PRECONDITION_FAILED: 'the resource has changed: `If-Match` names an older state',
  PAYLOAD_TOO_LARGE: 'the body exceeds the limit of the endpoint',
  UNSUPPORTED_MEDIA_TYPE: 'the endpoint does not accept this type of body',
  IDEMPOTENCY_KEY_REUSED: 'an `Idempotency-Key` was sent with another request before',
  TOO_MANY_REQUESTS:
    'too many wrong API keys, too many previews, searches or pings from one address, or pings and retries of webhooks of the organization; `Retry-After` says when to retry',
  OVERLOADED:
    'the render would miss its deadline, because too many wait, or it took too long at a slow moment; `Retry-After` says when to retry',
  QUARANTINED:
    'two renders of this version ended their process within an hour: publish a new version or release the template. With `Retry-After`: too many renders of the organization, or with images of links, ended their process',
  STORAGE_UNAVAILABLE:
    'the disk of the service is full, read-only or faulty; nothing was changed, and the operator must act',
  TIMEOUT: 'the render did not finish before its deadline',
  INTERNAL: 'a fault of the service: report the `requestId`',
};

/** The generated files by their path in the repository. */
export function generatedDocs(): Record<string, string> {
  return {
    'docs/configuration.md': configurationPage(),
    'docs/errors.md': errorsPage(),
    'docs/value-formats.md': valueFormatsPage(),
    ...apiDocs(),
  };
}

function configurationPage(): string {
  const parts = [
    '# Configuration',
    '',
    'Platen reads its environment once, at the start. A wrong or unknown `PLATEN_*` variable stops the start with exit code 78. All problems are',
    'reported at once. An empty variable counts as not set. `npm run docs` generates this page from the schemas of `src/settings.ts`.',
  ];
  for (const [section, { properties }] of Object.entries(sections)) {
    parts.push('', `## ${sectionTitles[section as Section]}`, '');
    parts.push('| variable | meaning | value | default |', '|---|---|---|---|');
    parts.push(...Object.values<object>(properties).map(settingRow));
  }
  return `${parts.join('\n')}\n`;
}

function settingRow(schema: object): string {
  const {
    env,
    description,
    expected,
    default: fallback,
  } = { ...schema } as Record<string, unknown>;
  const shown = [fallback ?? []].flat().map(String).join(',');
  return `| \`${String(env)}\` | ${String(description).replaceAll('<', '&lt;')} | ${String(expected)} | ${shown === '' ? '' : `\`${shown}\``} |`;
}

function errorsPage(): string {
  const rows = Object.entries(errorTable).map(
    ([code, { status }]) =>
      `| ${status} | \`${code}\` | ${errorCauses[code as keyof typeof errorTable]} |`,
  );
  return `${[
    '# Errors',
    '',
    'A render link answers an error with `{"error":{"code","message","requestId"}}`. The organization endpoints answer `{"error": "…"}` with the same status, and `details` (`[{"path","message"}]`) if a body has several problems.',
    '`npm run docs` generates this page from `src/foundation/errors.ts` and `src/render/image-request.ts`.',
    '',
    '| status | code | when |',
    '|---|---|---|',
    ...rows,
    '',
    ...readersSection(),
  ].join('\n')}\n`;
}

/** The section about images in place of errors. */
function readersSection(): string[] {
  return [
    '## Readers and programs',
    '',
    'With `"onError": "auto"`, the default of templates, a reader gets an image in place of 400, 500, 503, 504 and 507, and a program gets',
    'the error. A request is a reader’s if one of these holds:',
    '',
    '- `Sec-Fetch-Dest` is `image`. Browsers send it for `<img>` and CSS.',
    '- `Accept` gives image types a higher quality than everything else that it lists: `image/*`, or `image/webp,*/*;q=0.8`. A list with JSON or HTML and',
    '  images at the same quality is a program’s.',
    '- There is no `Sec-Fetch-Dest`, and `User-Agent` matches one of these patterns, in upper or lower case:',
    '',
    '| email client or proxy | pattern | example |',
    '|---|---|---|',
    ...emailClients.map(fetcherRow),
    '',
    'Messengers and social networks fetch a posted link, and show its image to all readers of the post:',
    '',
    '| link preview | pattern | example |',
    '|---|---|---|',
    ...linkPreviews.map(fetcherRow),
    '',
    'Webmail (Roundcube, Zimbra, Superhuman) and email apps with a web view (Samsung Email, K-9 Mail) load images like a browser: the first two',
    'rules apply. The Gmail apps use its image proxy. Some proxies send the user agent of a browser and accept everything: Platen treats them as programs. (Fastmail',
    'says that its proxy names a generic browser; that of Proton Mail has no documented name.) For links to their readers, set `"onError": "image"`.',
    '',
    'A link that is opened in a tab is a page, so it shows the error. The headers choose between two answers; they give no access to anything.',
  ];
}

function fetcherRow({ name, pattern, example }: ImageFetcher): string {
  return `| ${name} | \`${pattern.source.replaceAll('|', String.raw`\|`)}\` | \`${example}\` |`;
}

/** The chapter on numbers, booleans and colours, with the forms of languages. */
function writtenFormsChapter(): string[] {
  return [
    '## Written forms',
    '',
    'Links, JSON, lists and data tables have one reader of numbers, dates, booleans and colours. A form with one possible reading is read in every template. It is drawn as a plain number: `1,299.00` becomes `1299.00`, and a',
    'format writes it for readers. Digits of every script, signs and codes of currencies, and spaces of every kind are read. A number has 15 reliable digits. Those behind them are noise of its binary form: 24.950000000000003 is 24.95.',
    '',
    '- `1.234` and `1,234` have two readings. The `lang` of the template decides: the sign that its language does not write before decimals stands between thousands. `_lang` never decides.',
    '- Without a `lang`, `1.234` has decimals, as programs write it, and `1,234` is refused.',
    '- In a list the column decides before the language: one `19,90` says what `1.234` means. A proof names the rows with two readings of a column that mixes both. For dates too: one `25/12/2026` says what `03/04/2027` means.',
    '- A number of JSON or of a workbook, `1.234` without quotes, has decimals in every language. So have cells of data tables, and `1.234e0`.',
    '- A format reads a variable of the type `text` as a variable of the type `number` is read, but for cells of data tables.',
    '- `15%`, `½`, `500K`, `5 L` and `1e400` are no numbers. In Persian digits, `۱۲۳/۵۰` is 123.50, and `۱/۲` is refused as a fraction.',
    '- `0xFF8800` is a colour. `0xFFFF8800` is refused: Android writes the alpha first, others last.',
    '- `1500-` is −1500, as SAP writes it. Beside a currency (`¥1,500-`, `EUR 5-`) the sign may also stand for the cents, so such an amount is refused. `5,-`, `5.–`, `199:-` and `1,499/-` are amounts without cents.',
    '',
    'Values that a program escaped once too often are read as they were meant:',
    '',
    '| written | read as | where |',
    '|---|---|---|',
    "| `O&#39;Brien`, `Tom &amp; Jerry`, `Ren&eacute;e` | `O'Brien`, `Tom & Jerry`, `Renée` | every value; the entities of HTML, by name and by number, with a semicolon: `&#146;` is ’ |",
    '| `="00123"` | `00123` | every value |',
    '| marks of direction around a value (U+200E, U+202A, U+2066 and others) | the value without them | every value but texts |',
    '| `J%C3%B3zsef`, `Anna%20Maria` after the link is decoded | `József`, `Anna Maria` | texts with escapes alone; not `50%20off`, where a number stands before the sign |',
    '| `Jos%E9`, `%u0141ukasz` | `José`, `Łukasz` | texts: one byte alone of Windows-1252, and `escape()` of JavaScript; several bytes in a row stay |',
    '| `//cdn.example.com/a.png`, spaces or quotes around an address, `https%3A%2F%2F…` | `https://…` | images |',
    '',
    'A variable that a QR code or a barcode binds stays as it is written. A signature covers the values of the link as they are sent, before any of this. A second `?` is a part of its value: `offer=Two?dpl=abc` draws `Two?dpl=abc`, because `?` is',
    'common in texts. Programs that add parameters write `&`.',
    '',
    'A value that cannot be read draws nothing in the image of a reader, as an empty value with `whenEmpty: "empty"`. A layer whose position, size or rotation it gives is [left out](template-format.md#bindings). The default could be a sample, such as the price of somebody else. A program gets 400, and a',
    'proof reports `BAD_VALUE`. A number outside of `min` and `max` counts as unread. A text over its limit is cut, and an image that fails becomes its default.',
    '',
    '| lang | type | read as | written |',
    '|---|---|---|---|',
    ...writtenForms.map(
      ({ lang, type, value, forms }) =>
        `| ${lang} | ${type} | \`${value}\` | ${forms.map((form) => `\`${form}\``).join(', ')} |`,
    ),
    '',
  ];
}

function valueFormatsPage(): string {
  return `${[
    '# Formats of values',
    '',
    'A binding may format its value: `{{price | currency:EUR}}`. Several formats are applied from left to right: `{{name | name | default:friend}}`.',
    '`npm run docs` generates this page from `src/language/values/value-formats.ts`. The examples are in English, on 23 November 2026.',
    '',
    '| format | takes | writes | argument | example | of | gives |',
    '|---|---|---|---|---|---|---|',
    ...Object.entries(valueFormats).map(valueFormatRow),
    '',
    '## Rules',
    '',
    `- A binding has at most ${formatsMax} formats. A formatted value is cut to 2,000 characters.`,
    '- An argument follows a colon. It contains no `|`, `{` or `}`, and white space around it does not count.',
    '- A format that does not exist, or an argument that it does not have, is refused when the template is saved.',
    '- An empty value stays empty; only `default` replaces it.',
    '- A value that a format does not take is drawn as it is, with the warning `FORMAT_FAILED`. A price that is no number is an example.',
    '- The language is the `_lang` of the link, else the `lang` of the document, else English. Words, digits, calendars and separators are those of the Unicode CLDR for it.',
    '- A live number such as `{{countdown.days}}` is in the digits of the language too, in texts and in the `alt`. Codes have 0 to 9, which scanners read.',
    '- `currency` drops no decimal that people write: 1300 is `HUF 1,300`, 1299.5 is `HUF 1,299.50`, and 1.599 EUR is `€1.599`. An amount with more than two decimals beyond those of its currency comes from a division and is rounded: 33.333333 EUR is `€33.33`. People write amounts of HUF, IDR, COP, PKR, JPY and others without decimals, of KWD and others with three, and of most with two: `src/language/values/currencies.ts` has all.',
    '- `currency` takes no value in another currency: `$49.00` and `1,500円` are refused by `currency:EUR` (a text is drawn as it is). `$` fits each dollar and peso, `¥` JPY and CNY, `kr` SEK, NOK, DKK and ISK: `src/language/values/date-words.ts` has all. A document that writes a value in two currencies takes each.',
    '- `relative` writes numbers where the words do not tell past from future: Hindi has one word for yesterday and tomorrow. Where the Unicode CLDR has one text for both, it writes the date.',
    '- If a variable has the whole text between the brackets as its name, its value is drawn, without formats.',
    '',
    '## Dates',
    '',
    'Variables of the type `date`, and `date`, `time` and `relative`, read these forms:',
    '',
    '| form | examples |',
    '|---|---|',
    '| ISO 8601, RFC 3339 | `2026-11-27`, `2026-11-27T00:00Z`, `2026-11-27 18:30`, `2026-11-27T18:30:00+01:00`, `20261127`, `20261127T183000Z`, `2026-W48-5`, `2026-331`, `2026-11-27T18:30+01:00[Europe/Berlin]` |',
    '| RFC 2822, HTTP | `Fri, 27 Nov 2026 18:30:00 +0100`, `27 Nov 2026 18:30 EST` |',
    '| names of months of 59 languages | `27 November 2026`, `27 de noviembre de 2026`, `2026年11月27日`, `November 27, 2026 6:30 PM`, and the text of a date in JavaScript, Java and C: `Fri Nov 27 18:30:00 UTC 2026` |',
    '| Unix time | seconds with 9 or 10 digits, milliseconds with 12 or 13: `1795804200`; `202611271830` is a date with a time too, so it is refused |',
    '| day, month and year | `27.11.2026`, `27/11/2026`, `11/27/2026`; where both orders are possible (`03/04/2026`) the column of a list decides, then the `lang` of the document, never `_lang`; else such a value is refused |',
    '',
    'A name that two languages give to different months, such as `listopad`, needs the `lang` of the document. `24:00` is the end of a day. In Thai, years of the Buddhist calendar are read; of other calendars',
    'no years are read. A year has four digits. The default of a variable and a date in a condition must be unambiguous.',
    '',
    '- Digits alone are a date with 8 digits (year, month, day), Unix time with 9, 10, 12 and 13, and a date with a time with 14 and 17. Those with 10 or 12 that are also a year from 1900 to 2099, month, day, hour and perhaps minute have two readings and are refused.',
    '- The short dates of a language say whether the day or the month comes first. Swedish, Lithuanian, Afrikaans, Xhosa, Northern Sami, Basque, `fr-CA`, `en-ZA` and `en-SE` write the year first, and the day before the month if the year is last. Hungarian, Chinese, Japanese, Korean, Persian, `en-CA` and others have no such order: `03/04/2026` is refused.',
    '- In a list one `27/11/2026` or `11/27/2026` decides for its column. A date that the language would read otherwise becomes `2026-04-03`, also where a text shows it without a format. A proof names the rows with two readings of a column that proves both orders.',
    '- `6:30 p. m.`, `6:30 μ.μ.`, `오후 6:30`, `下午6:30` and the words of the Unicode CLDR for the halves of a day are read. `6:30p` is the afternoon, and `6:30 P` is refused: it may be a military zone.',
    '- `CST`, `CDT`, `PST`, `IST`, `BST` and `AST` are names of several zones. They are read if the `zone` of the document’s clock has one of them at that time, and refused otherwise. `EST`, `CET`, `JST` and others have one meaning.',
    '- `0001-01-01` is what .NET and Go write for no date: it is refused.',
    '',
    'A date is shown as it was written, whatever its zone: `2026-11-27T23:30-08:00` is 27 November, 23:30, in every language. Its zone counts where dates are compared, and for `relative:hour` and',
    '`relative:minute`. A date without a zone counts as a time of the `zone` of the document’s [clock](template-format.md#time-and-readers), or of UTC. Unix time is an instant.',
    '',
    ...writtenFormsChapter(),
    '## Formats and time',
    '',
    '`relative` and conditions with `now` or `today` depend on the time of the render. Platen rounds this time down to a unit. Two requests in the same unit get the same image. A condition can give',
    'another image in the next unit, `relative` when its text changes. The lifetime in `Cache-Control` ends then, without `stale-while-revalidate` and `immutable`, also for links with `_version`. The unit is the finest that the template uses:',
    '',
    '| format or condition | unit |',
    '|---|---|',
    '| `relative`, `relative:day`, a condition with `today` | a day, which begins at midnight in the zone of the clock, or in UTC |',
    '| `relative:hour`, `relative:minute`, a condition with `now` | a minute |',
    '',
    '[Live images](live-images.md) explains templates with a countdown, the time, or content for a kind of client.',
    '',
    'Email clients keep images for longer than a cache may. An email that is opened again can show the distance of its first opening.',
  ].join('\n')}\n`;
}

function valueFormatRow([name, format]: [string, ValueFormat]): string {
  const { takes, meaning, argument = 'none', sample, example } = format;
  const [value, written] = example;
  const binding = cellCode(`| ${sample === '' ? name : `${name}:${sample}`}`);
  const given = value === '' ? 'nothing' : cellCode(value);
  return `| \`${name}\` | ${takes} | ${meaning} | ${argument} | ${binding} | ${given} | ${cellCode(written)} |`;
}

// Generates the files of the API.

/** The files of the API by their path in the repository. */
function apiDocs(): Record<string, string> {
  return {
    'src/client/endpoints.ts': clientTypes(),
    'docs/template.schema.json': toJson(documentSchema()),
    'docs/openapi.json': toJson(openApiDocument(endpoints, describedBase)),
    'docs/platen.postman_collection.json': toJson(postmanCollection(endpoints)),
    'docs/merge-tags.md': mergeTagsPage(),
  };
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}

/** Inline code for a table cell. A bar would end the cell, even inside code. */
function cellCode(text: string): string {
  return `\`${text.replaceAll('|', String.raw`\|`)}\``;
}
