/** Pages and files that are made from the API's description and the mailing tools. */
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
    '# Merge tags of mailing tools',
    '',
    'A mailing tool puts each contact’s values into the link of a picture: `…/v1/render/welcome-banner.jpg?name=` followed by the tool’s tag. The first page of a',
    'service (`/`) writes such links and `<img>` elements for the tools below. This page is made from `src/pages/mail-tools.ts` by `npm run docs`.',
    '',
    'What holds for all of them:',
    '',
    '- **Encode the value**, where the tool has a filter for it: `&`, `#`, `+` and `%` mean something in a link. Without a filter a value ends at the first `&` or `#`; spaces,',
    '  accents and a lone `%` are read as they stand. Put such a tag last, as the first page does.',
    '- **A fallback is optional.** An empty value, or a tag that nobody filled in, draws the default of the template’s variable. A fallback in the tag is for a text',
    '  of your own.',
    '- **Let the path end in the extension** (`.jpg`, `.png`): some tools and mail programs want to see one. Outlook on Windows shows PNG, JPEG and GIF only.',
    '- **A signed link** covers the query as it is sent, so it cannot be signed before the tool has put the values in: sign one link for each contact, and store it as a field of the contact.',
    '',
    '| tool | first name, with a fallback | own field `offer` | encodes with | without a value | to know |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    '## Sources',
    '',
    'Syntax changes at the vendors’ pace: these are the pages it was taken from. Send yourself a test mail before a campaign. Not every page names the encoding filter itself: Klaviyo refers to',
    'Django’s built-in filters and Customer.io to Liquid’s; for Brevo `urlencode` follows from its Django-like language.',
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
