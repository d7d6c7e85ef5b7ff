/** Finds what the text of SVG markup says, to tell which of its characters no font can draw. */

/** Entities of XML beside numbers; others are an error to the renderer. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
const textPattern = /<(?:[\w.-]+:)?text(?=[\s/>])/g;
const textEndPattern = /<\/(?:[\w.-]+:)?text\s*>/g;
const markupPattern = /<!\[CDATA\[([^]*?)\]\]>|<(?:"[^"]*"|'[^']*'|[^"'<>])*>/g;
const referencePattern = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{1,4}));/g;

/** The characters inside the `text` elements of well-formed markup, in order; empty where there are none. Linear time. */
export function svgText(markup: string): string {
  const plain = markup.replaceAll(/<!--[^]*?-->/g, '');
  let text = '';
  let end = 0;
  for (const { index } of plain.matchAll(textPattern)) {
    if (index < end) continue;
    textEndPattern.lastIndex = index;
    const closing = textEndPattern.exec(plain);
    // A last element without content, or markup that the renderer will refuse.
    if (closing === null) break;
    end = closing.index;
    text += readCharacters(plain.slice(index, end));
  }
  return text;
}

function readCharacters(markup: string): string {
  return markup
    .replace(markupPattern, (_, data: string | undefined) => data ?? '')
    .replace(referencePattern, (found, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? found;
      const codePoint = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : found;
    })
    .toWellFormed();
}
