/** Builds links and what is pasted of them: HTML, Markdown and curl, with typed values or a mailing tool's tags. */
import type { MailTool } from './mail-tools.ts';
import { mergeTag } from './mail-tools.ts';

/** What a snippet needs of a template. */
export interface SnippetTemplate {
  name: string;
  /** Last segment of its links, with the extension. */
  file: string;
  /** Design pixels. */
  width: number;
  height: number;
}

/** One variable of a link. */
export interface SnippetValue {
  name: string;
  /** What was typed; empty leaves the variable out, and the template's default is drawn. */
  value: string;
  /** Filled in from a contact by the mailing tool. */
  isPersonal: boolean;
}

/** What stands in a contact's place when the tool has no value: the variable's default. */
export type Fallbacks = Readonly<Record<string, string>>;

/** The link of typed values, from `v1` on: relative, so that it also works below a path of a proxy. */
export function renderPath(template: SnippetTemplate, values: readonly SnippetValue[]): string {
  const pairs = values
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return withQuery(`v1/render/${template.file}`, pairs);
}

/** The link with tags in place of personal values. Tags come last: what an unencoded one holds cannot hide another value. */
export function taggedPath(
  template: SnippetTemplate,
  values: readonly SnippetValue[],
  tool: MailTool,
  fallbacks: Fallbacks,
): string {
  const typed = values
    .filter(({ value, isPersonal }) => value !== '' && !isPersonal)
    .map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const tagged = values
    .filter(({ isPersonal }) => isPersonal)
    .map(
      ({ name }) => `${encodeURIComponent(name)}=${mergeTag(tool, name, fallbacks[name] ?? '')}`,
    );
  return withQuery(`v1/render/${template.file}`, [...typed, ...tagged]);
}

/** An `img` element. Its `alt` is the template's name: mail programs that show no pictures show that. */
export function htmlSnippet(template: SnippetTemplate, url: string): string {
  // Mailing tools look for their tags in the source: their quotes must stay as they are.
  const quote = url.includes('"') ? "'" : '"';
  const source = `${quote}${url.replaceAll('&', '&amp;')}${quote}`;
  const { width, height } = template;
  const alt = escapeAttribute(template.name);
  return `<img src=${source}\n     width="${width}" height="${height}" alt="${alt}"\n     style="max-width:100%;height:auto;border:0">`;
}

/** A Markdown picture; angle brackets keep what a tag may hold. */
export function markdownSnippet(template: SnippetTemplate, url: string): string {
  const target = /[\s()<>]/.test(url) ? `<${url.replaceAll(/[<>]/g, encodeURIComponent)}>` : url;
  return `![${template.name.replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${target})`;
}

/** A shell command that saves the picture; safe for any value in POSIX shells. */
export function curlSnippet(template: SnippetTemplate, url: string): string {
  return `curl -o ${template.file} \\\n  '${url.replaceAll("'", '%27')}'`;
}

function withQuery(path: string, pairs: readonly string[]): string {
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
