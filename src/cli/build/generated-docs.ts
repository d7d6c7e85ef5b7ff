/** Pages that are made from the code: the configuration from its schema, the errors from their table. */
import { ConfigSchema } from '../../config/config.ts';
import { errorTable } from '../../foundation/errors.ts';
import { linkPreviews, mailClients } from '../../render/image-request.ts';
import type { ImageFetcher } from '../../render/image-request.ts';
import { apiDocs } from './api-docs.ts';

/** Heading of each section of the configuration. */
const sectionTitles: Record<string, string> = {
  http: 'Server',
  templates: 'Data',
  render: 'Rendering',
  process: 'Start and stop',
  cache: 'Caches',
  images: 'Images from links',
  commands: 'Command line',
  log: 'Log',
};

/** When each code comes, for people. */
const errorCauses: Record<keyof typeof errorTable, string> = {
  BAD_REQUEST:
    'a value, an option or an image cannot be used; the message names it and says why and what was expected',
  UNAUTHORIZED: 'the template asks for a signed link or a key, and it is absent, wrong or expired',
  FORBIDDEN: 'the key is valid and lacks the scope that the request needs',
  NOT_FOUND: 'no such template, not published, archived, or no such version',
  METHOD_NOT_ALLOWED: 'the path exists, the method does not; `Allow` lists those that do',
  REQUEST_TIMEOUT: 'the body paused for 5 s, or was not complete within a minute',
  CONFLICT: 'what is to be created exists already, or something else stands against it',
  PRECONDITION_FAILED: 'somebody else changed it since: the `If-Match` names an older state',
  PAYLOAD_TOO_LARGE: 'the body is longer than the address takes',
  UNSUPPORTED_MEDIA_TYPE: 'the body is of a type that the address does not take',
  TOO_MANY_REQUESTS: 'too many wrong API keys; `Retry-After` says when to come back',
  OVERLOADED: 'too much is waiting to be rendered in time; `Retry-After` says when to come back',
  QUARANTINED:
    'two renders of this version ended their process within an hour: publish a new version or release the template; with `Retry-After`, too many renders of the organization did, or too many with images of links',
  STORAGE_UNAVAILABLE:
    'the disk of the service is full, read-only or faulty: nothing was changed; its operator has to act',
  TIMEOUT: 'the render did not finish before its deadline',
  INTERNAL: 'a fault of the service; report the `requestId`',
};

/** The pages by their path in the repository. */
export function generatedDocs(): Record<string, string> {
  return {
    'docs/configuration.md': configurationPage(),
    'docs/errors.md': errorsPage(),
    ...apiDocs(),
  };
}

function configurationPage(): string {
  const parts = [
    '# Configuration',
    '',
    'Platen reads its environment once, at the start. A wrong or unknown `PLATEN_*` variable stops the start with exit code 78; all problems are',
    'reported at once. An empty variable counts as not set. This page is made from `src/config/config.ts` by `npm run docs`.',
  ];
  for (const [section, { properties }] of Object.entries(ConfigSchema.properties)) {
    parts.push('', `## ${sectionTitles[section] ?? section}`, '');
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
    'A render link answers an error as `{"error":{"code","message","requestId"}}`; the organization’s endpoints answer `{"error": "…"}` with the same status, and `details` (`[{"path","message"}]`) where a body has several problems.',
    'This page is made from `src/foundation/errors.ts` and `src/render/image-request.ts` by `npm run docs`.',
    '',
    '| status | code | when |',
    '|---|---|---|',
    ...rows,
    '',
    ...readersSection(),
  ].join('\n')}\n`;
}

/** Who gets an image in place of an error. */
function readersSection(): string[] {
  return [
    '## Readers and programs',
    '',
    'With `"onError": "auto"`, the default of templates, a reader’s request gets an image in place of 400, 500, 503, 504 and 507, and a program’s gets',
    'the error. A request is a reader’s if one of these holds:',
    '',
    '- `Sec-Fetch-Dest` is `image`: a browser sends it for `<img>` and CSS.',
    '- `Accept` gives image types a higher quality than everything else that it lists: `image/*`, or `image/webp,*/*;q=0.8`. A list that has JSON or HTML beside',
    '  images with the same quality is a program’s.',
    '- There is no `Sec-Fetch-Dest`, and `User-Agent` matches one of these patterns, in upper or lower case:',
    '',
    '| mail client or proxy | pattern | example |',
    '|---|---|---|',
    ...mailClients.map(fetcherRow),
    '',
    'Messengers and social networks fetch a link that somebody posts, and show its image to all who read the post:',
    '',
    '| link preview | pattern | example |',
    '|---|---|---|',
    ...linkPreviews.map(fetcherRow),
    '',
    'Webmail (Roundcube, Zimbra, Superhuman) and mail apps that show messages in a web view (Samsung Email, K-9 Mail) load images as a browser does: the first',
    'two rules hold. Gmail’s apps use its image proxy. A proxy that sends the user agent of a browser and accepts everything (Fastmail says that its proxy names a',
    'generic browser; Proton Mail’s has no documented name) cannot be told from a program. For links whose readers use these, set `"onError": "image"`.',
    '',
    'A page that is opened in a tab is no image: it shows the error. The headers choose between two answers, and give no access to anything.',
  ];
}

function fetcherRow({ name, pattern, example }: ImageFetcher): string {
  return `| ${name} | \`${pattern.source.replaceAll('|', String.raw`\|`)}\` | \`${example}\` |`;
}
