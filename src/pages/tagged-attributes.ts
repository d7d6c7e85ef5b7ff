/** Attributes of HTML that hold merge tags: the words around a tag are escaped, the tag itself is not. */

/** A piece of an alternative text: words, or a merge tag that the email service must find unchanged. */
export interface DescriptionPiece {
  text: string;
  isTag: boolean;
  /** Of a tag: the email service escapes its fallback, so that `&amp;` there would be read aloud. */
  isEscapedByService?: boolean;
}

export type ImageDescription = readonly DescriptionPiece[];

/**
 * The `&` before a name in a query. Another one stands in a tag's fallback, which the email service encodes for the link before HTML
 * is read: `&amp;` there would be drawn. A fallback has no brackets, so the next ones are those that end its tag: `}}`, `]]` or `)=%%`.
 */
const separatorPattern = /&(?=[\w.~!*()%-]+=)(?![^{}]*\}\}|[^[\]]*\]\]|[^%]*\)=%%)/g;

/** An alternative text. Words are escaped for either kind of quotes. */
export function textAttribute(pieces: ImageDescription): string {
  const text = pieces.map(escapePiece).join('');
  const tags = pieces.map((piece) => (piece.isTag ? piece.text : '')).join('');
  return quoted(text.trim(), tags);
}

function escapePiece({ text, isTag, isEscapedByService = false }: DescriptionPiece): string {
  if (!isTag) return escapeWords(text);
  return isEscapedByService ? text : text.replaceAll('&', '&amp;');
}

/** A link as an attribute. */
export function linkAttribute(link: string): string {
  // An address may have either kind of quotes in it; tags keep theirs.
  const safe = link.includes('"') ? link.replaceAll("'", '%27') : link;
  return quoted(safe.replaceAll(separatorPattern, '&amp;'), safe);
}

/** An attribute in the quotes that its tags leave free: tools look for tags in the source, so their quotes stay as they are. */
function quoted(text: string, tags: string): string {
  const quote = tags.includes('"') ? "'" : '"';
  return `${quote}${text}${quote}`;
}

/** Words in one line, for either kind of quotes. */
function escapeWords(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
