/** Pages and files that are made from the API's description and the email services. */
import { postmanCollection } from '../../api/openapi/collection.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { mailTools, mergeTag } from '../../pages/mail-tools.ts';
import type { MailTool } from '../../pages/mail-tools.ts';

/** The files by their path in the repository. */
export function apiDocs(): Record<string, string> {
  return {
    'docs/openapi.json': toJson(openApiDocument('http://localhost:3000')),
    'docs/platen.postman_collection.json': toJson(postmanCollection()),
    'docs/merge-tags.md': mergeTagsPage(),
  };
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}

function mergeTagsPage(): string {
  const rows = mailTools.map(
    (tool) =>
      `| ${tool.name} | ${code(mergeTag(tool, 'name', 'friend'))} | ${code(mergeTag(tool, 'offer', ''))} | ${tool.encoder === undefined ? 'none' : code(tool.encoder)} | ${tool.hasFallback ? 'in the tag' : 'the template’s default'} | ${tool.note} |`,
  );
  return `${[
    '# Merge tags of email services',
    '',
    'An email service puts the values of each contact into the link of an image: `…/v1/render/welcome-banner.jpg?name=`, followed by the merge tag of the service. The first page of',
    'Platen (`/`) writes such links and `<img>` elements for the email services below. `npm run docs` generates this page from `src/pages/mail-tools.ts`.',
    '',
    'For all of them:',
    '',
    '- **Encode the value** if the service has a filter for it: `&`, `#`, `+` and `%` have a meaning in a link. Without a filter a value ends at the first `&` or `#`. Spaces,',
    '  accents and a single `%` are read as they are. Put such a tag last, as the first page does.',
    '- **A fallback is optional.** An empty value or an unfilled tag draws the default of the template’s variable. Use a fallback in the tag for another text.',
    '- **Let the path end in the extension** (`.jpg`, `.png`): some email services and clients expect one. Outlook on Windows shows PNG, JPEG and GIF only.',
    '- **A signed link** covers the query as it is sent, so the values must be in it before it is signed. Sign one link for each contact, and store it as a field of the contact.',
    '',
    '| email service | first name, with a fallback | custom field `offer` | encodes with | without a value | note |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    '## Sources',
    '',
    'These pages document the syntax. Vendors change it: send yourself a test email before a campaign. Some pages do not name the encoding filter. Klaviyo refers to the built-in filters of',
    'Django, and Customer.io to those of Liquid. For Brevo `urlencode` follows from its Django-like language.',
    '',
    ...mailTools.map(sources),
  ].join('\n')}\n`;
}

function sources({ name, sources: pages }: MailTool): string {
  return `- ${name}: ${pages.map((page) => `<${page}>`).join(', ')}`;
}

/** A bar would end the cell, even inside code. */
function code(text: string): string {
  return `\`${text.replaceAll('|', String.raw`\|`)}\``;
}
