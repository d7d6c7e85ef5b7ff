/** Suggests the known name for a misspelt name, another spelling, or a term of CSS and of other tools. */

/** Names in other tools, in lower case, with the names in this language, most likely first. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  // Layers and documents.
  angle: ['rotation'],
  background: ['fill'],
  backgroundcolor: ['background', 'fill'],
  backgroundimage: ['fill'],
  borderradius: ['cornerRadius'],
  boxshadow: ['shadow'],
  children: ['layers'],
  clippath: ['clip'],
  color: ['fill'],
  condition: ['visibleWhen'],
  dropshadow: ['shadow'],
  elements: ['layers'],
  hidden: ['visible'],
  hide: ['visible'],
  if: ['visibleWhen'],
  items: ['layers'],
  language: ['lang'],
  left: ['x'],
  linecap: ['cap'],
  linejoin: ['join'],
  mixblendmode: ['blendMode'],
  radius: ['cornerRadius'],
  rotate: ['rotation'],
  strokecolor: ['stroke'],
  strokedasharray: ['dash'],
  strokewidth: ['stroke'],
  title: ['name'],
  top: ['y'],
  transparency: ['opacity'],
  version: ['format'],
  // Texts.
  alignment: ['align'],
  content: ['text', 'value'],
  data: ['path', 'value', 'svg'],
  font: ['fontFamily', 'fonts'],
  italic: ['fontStyle'],
  lineclamp: ['maxLines'],
  linethrough: ['strike'],
  size: ['fontSize'],
  strikethrough: ['strike'],
  textalign: ['align'],
  textdecoration: ['underline'],
  textoverflow: ['overflow'],
  textshadow: ['shadow'],
  texttransform: ['transform'],
  weight: ['fontWeight'],
  // Images, codes and gradients.
  colors: ['stops'],
  d: ['path'],
  href: ['src', 'image'],
  image: ['src', 'fill'],
  objectfit: ['fit'],
  objectposition: ['focusX'],
  position: ['offset'],
  src: ['image', 'svg'],
  symbology: ['kind'],
  type: ['gradient', 'kind'],
  url: ['src', 'image'],
  // Variables and conditions.
  default: ['value'],
  defaultvalue: ['value'],
  empty: ['set'],
  exists: ['set'],
  field: ['variable'],
  gt: ['greaterThan'],
  id: ['name'],
  in: ['oneOf'],
  is: ['equals'],
  key: ['name'],
  lt: ['lessThan'],
  maximum: ['max'],
  minimum: ['min'],
  not: ['notEquals'],
  // Types of layers.
  circle: ['ellipse'],
  frame: ['group'],
  oval: ['ellipse'],
  photo: ['image'],
  picture: ['image'],
  img: ['image'],
  qrcode: ['qr'],
  rectangle: ['rect'],
  square: ['rect'],
  triangle: ['polygon'],
};

/** Maximum UTF-16 units of a compared name. Longer names are no typing errors, and slow to compare. */
const comparedLengthMax = 40;

/** Maximum typing errors (slips) in one name. With 4, comparing two names takes 2 to 6 µs; more is slower. */
const slipsMax = 4;

/** The name in `known` that `name` most likely means; undefined if none is similar. */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > comparedLengthMax) return undefined;
  const plain = toPlain(name);
  const meant = Object.hasOwn(synonyms, plain) ? (synonyms[plain] ?? []) : [];
  let best = known.find((candidate) => toPlain(candidate) === plain);
  best ??= meant.find((candidate) => known.includes(candidate));
  if (best !== undefined) return best;
  // Allows one slip for every three letters.
  let fewest = Math.min(Math.floor(plain.length / 3), slipsMax) + 1;
  for (const candidate of known) {
    const other = toPlain(candidate);
    if (Math.abs(other.length - plain.length) >= fewest) continue;
    const slips = countSlips(plain, other);
    if (slips >= fewest) continue;
    fewest = slips;
    best = candidate;
  }
  return best;
}

/** `font-size`, `font_size` and `FontSize` are one name. */
function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

const tooMany = slipsMax + 1;

/**
 * Number of letters to insert, remove, change or swap with their neighbour to get from one word to the other. Returns
 * more than `slipsMax` for any greater number. `slipsMax` slips shift a letter by at most `slipsMax`, so only this
 * diagonal band is computed.
 */
function countSlips(from: string, to: string): number {
  let before = new Uint8Array(to.length + 1);
  let last = Uint8Array.from({ length: to.length + 1 }, (_, index) => index);
  let current = new Uint8Array(to.length + 1);
  for (let row = 1; row <= from.length; row += 1) {
    const first = Math.max(1, row - slipsMax);
    const end = Math.min(to.length, row + slipsMax);
    current[first - 1] = first === 1 ? row : tooMany;
    if (end < to.length) current[end + 1] = tooMany;
    for (let column = first; column <= end; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      let slips = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap && column > 1) slips = Math.min(slips, (before[column - 2] ?? 0) + 1);
      current[column] = slips;
    }
    [before, last, current] = [last, current, before];
  }
  return last[to.length] ?? 0;
}
