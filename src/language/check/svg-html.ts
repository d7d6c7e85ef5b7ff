/** Tells which SVG has HTML in it, which librsvg leaves out without an error. */

/** Whether markup has an element of HTML, as Figma writes angular gradients. Linear time. */
export function hasForeignObject(markup: string): boolean {
  if (!markup.includes('foreignObject')) return false;
  return /<(?:[\w.-]+:)?foreignObject[\s/>]/.test(withoutComments(markup));
}

/** As `hasForeignObject`, of a file in any encoding of XML: the element's name is ASCII in all of them, or ASCII and zeros. */
export function fileHasForeignObject(bytes: Uint8Array): boolean {
  return hasForeignObject(Buffer.from(bytes).toString('latin1').replaceAll('\0', ''));
}

/** A pattern would take quadratic time for comments that do not end. */
function withoutComments(markup: string): string {
  let plain = '';
  for (let at = 0; ;) {
    const start = markup.indexOf('<!--', at);
    if (start === -1) return plain + markup.slice(at);
    plain += markup.slice(at, start);
    const end = markup.indexOf('-->', start + 4);
    if (end === -1) return plain;
    at = end + 3;
  }
}
