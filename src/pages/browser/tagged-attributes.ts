/** Writes HTML attributes with merge tags. Words around a tag are escaped, the tag is not. */

/** A piece of an alternative text: words, or a merge tag that the email service must find unchanged. */
export interface DescriptionPiece {
  text: string;
  isTag: boolean;
  /** For a tag: whether the email service escapes its fallback, so that `&amp;` would be escaped twice. */
  isEscapedByService?: boolean;
}

export type ImageDescription = readonly DescriptionPiece[];

/**
 * The `&` before a name in a query. An `&` in a tag's fallback does not match: the email service encodes it for the
 * link, so `&amp;` would be drawn. A fallback has no brackets, so the next brackets end its tag: `}}`, `]]` or `)=%%`.
 */
const separatorPattern = /&(?=[\w.~!*()%-]+=)(?![^{}]*\}\}|[^[\]]*\]\]|[^%]*\)=%%)/g;

/** An alternative text as a quoted attribute. Words are escaped for either kind of quotes. */
export function textAttribute(pieces: ImageDescription): string {
  const text = pieces.map(escapePiece).join('');
  const tags = pieces.map((piece) => (piece.isTag ? piece.text : '')).join('');
  return quoted(text.trim(), tags);
}

function escapePiece({ text, isTag, isEscapedByService = false }: DescriptionPiece): string {
  if (!isTag) return escapeWords(text);
  return isEscapedByService ? text : text.replaceAll('&', '&amp;');
}

/** A link as a quoted attribute. */
export function linkAttribute(link: string): string {
  // Single quotes in an address are encoded if the attribute needs them. Tags keep theirs.
  const safe = link.includes('"') ? link.replaceAll("'", '%27') : link;
  return quoted(safe.replaceAll(separatorPattern, '&amp;'), safe);
}

/**
 * Quotes an attribute with the kind of quotes that its tags do not use. Email services look for tags in the source, so
 * the quotes in tags stay.
 */
function quoted(text: string, tags: string): string {
  const quote = tags.includes('"') ? "'" : '"';
  return `${quote}${text}${quote}`;
}

/** Escapes words for either kind of quotes, in one line. */
function escapeWords(text: string): string {
  return (
    text
      .replaceAll(/\s+/g, ' ')
      .replaceAll('&', '&amp;')
      // Isolates are invisible: as references, an author sees them.
      .replaceAll('\u2068', '&#8296;')
      .replaceAll('\u2069', '&#8297;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  );
}
