/** The link of a published template and what is pasted of it, for a mailing tool or for values as they are typed. */
import type { MailTool } from '../../pages/mail-tools.ts';
import {
  curlSnippet,
  htmlSnippet,
  markdownSnippet,
  renderPath,
  taggedPath,
} from '../../pages/snippets.ts';
import type { SnippetTemplate, SnippetValue } from '../../pages/snippets.ts';
import type { Template } from '#shared/template-schema.ts';
import type { Values } from '../state/frames.ts';

/** What is pasted. */
export interface Snippets {
  link: string;
  html: string;
  markdown: string;
  curl: string;
}

/** A template as snippets take it: its file ends as its pictures do. */
export function snippetTemplate(uid: string, document: Template): SnippetTemplate {
  const format = document.output?.format ?? 'png';
  const { name, width, height } = document;
  return { name, file: `${uid}.${format === 'jpeg' ? 'jpg' : format}`, width, height };
}

/** The variables of a document with the values to begin with; the first text is likely the contact's. */
export function snippetValues(document: Template, values: Values): SnippetValue[] {
  const personal = document.variables.find(({ type }) => type === 'text')?.name;
  return document.variables.map(({ name }) => ({
    name,
    value: String(values[name] ?? ''),
    isPersonal: name === personal,
  }));
}

/** The link of the values as they are typed, before a signature. */
export function typedLink(
  base: string,
  template: SnippetTemplate,
  values: readonly SnippetValue[],
): string {
  return `${base}/${renderPath(template, values)}`;
}

/** Snippets with a tool's tags for what comes from the contact, or with typed values where there is no tool. */
export function makeSnippets(
  base: string,
  template: SnippetTemplate,
  values: readonly SnippetValue[],
  tool: MailTool | undefined,
  document: Pick<Template, 'variables'>,
): Snippets {
  const typed = typedLink(base, template, values);
  const fallbacks = Object.fromEntries(document.variables.map(({ name, value }) => [name, value]));
  const link =
    tool === undefined ? typed : `${base}/${taggedPath(template, values, tool, fallbacks)}`;
  return snippetsOf(template, link, typed);
}

/** Snippets of a link as it is; `typed` is what a shell asks for. */
export function snippetsOf(template: SnippetTemplate, link: string, typed: string): Snippets {
  return {
    link,
    html: htmlSnippet(template, link),
    markdown: markdownSnippet(template, link),
    curl: curlSnippet(template, typed),
  };
}

/** Characters of a QR code's value (the format's limit). */
const codeLengthMax = 2000;

/** A document with nothing but the QR code of a link; undefined for one that is too long for a code. */
export function codeDocument(link: string): Template | undefined {
  if (link.length > codeLengthMax) return undefined;
  const side = 320;
  return {
    format: 1,
    name: 'QR code',
    width: side,
    height: side,
    background: '#ffffff',
    variables: [],
    layers: [{ id: 'code', type: 'qr', x: 0, y: 0, width: side, height: side, value: link }],
  };
}

/** The address is of the machine that the service runs on: nobody else can open its links. */
export function isLocalBase(base: string): boolean {
  const host = URL.canParse(base) ? new URL(base).hostname : '';
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}
