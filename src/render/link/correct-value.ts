/** Corrects values that shops, spreadsheets and email services escaped once too often. */
import { decodeHTMLStrict } from 'entities/decode';
import { boundNames, walkStrings } from '#language/bind/bindings.ts';
import { repeatedList } from '#language/bind/list-items.ts';
import { walkLayers, withoutChildren } from '#language/layer-tree.ts';
import type { ScalarVariable, Template } from '#language/schema/template.ts';
import { itemPrefix } from '#language/values/list-value.ts';
import { directionMarks } from '#language/values/plain-digits.ts';

/** The properties of a document that decide what its codes encode. */
export type CodeRules = Pick<Template, 'layers' | 'variables'>;

/**
 * Returns a value as it was meant: without HTML entities, the quotes of `="00123"`, and escapes of a second encoding or
 * of another encoding than UTF-8. All values but texts lose marks of direction, too. A value with several meanings stays,
 * and so does one that a code encodes: scanners read it byte by byte. Linear time.
 */
export function correctValue(
  { name, type }: ScalarVariable,
  given: string,
  rules: CodeRules,
): string {
  const unmarked = type === 'text' ? given : given.replaceAll(directionMarks, '');
  const isSuspect = unmarked !== given || /[&%"/<]/.test(given);
  if (!isSuspect || codeNames(rules).has(fieldName(name))) return given;
  const quoted = /^\s*="([^"]*)"\s*$/.exec(unmarked)?.[1] ?? unmarked;
  const plain = withoutEntities(quoted);
  return type === 'image' ? correctAddress(plain) : withoutEscapes(plain);
}

const namesByDocument = new WeakMap<Template['layers'], ReadonlySet<string>>();

/** Variables and fields of lists (`items.title`) that the codes of a document encode. */
function codeNames({ layers, variables }: CodeRules): ReadonlySet<string> {
  let names = namesByDocument.get(layers);
  if (names !== undefined) return names;
  const found = new Set<string>();
  const known = { has: (name: string) => variables.some((variable) => variable.name === name) };
  for (const [, layer, , repeating] of walkLayers(layers)) {
    if (layer.type !== 'qr' && layer.type !== 'barcode') continue;
    const list = repeatedList(repeating?.repeat, variables);
    // Of all sizes; a condition or a colour encodes nothing.
    const encoded = walkStrings(withoutChildren(layer)).filter(([path]) => /\bvalue$/.test(path));
    for (const name of encoded.flatMap(([, text]) => boundNames(text, known))) {
      const isField = list !== undefined && name.startsWith(itemPrefix);
      found.add(isField ? `${list.name}.${name.slice(itemPrefix.length)}` : name);
    }
  }
  names = found;
  namesByDocument.set(layers, names);
  return names;
}

/** `items.title` for `items.0.title`. */
export function fieldName(name: string): string {
  return name.replace(/\.\d{1,4}\.([^.]+)$/, '.$1');
}

/** An entity of HTML with its semicolon, by number or name. */
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;

/** Characters that no entity of a text means: controls other than white space, and what replaces broken ones. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const noCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/;

/** Replaces the entities of HTML: 128 to 159 are characters of Windows-1252 there. */
function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(entity, (written) => {
    const character = decodeHTMLStrict(written);
    return noCharacter.test(character) ? written : character;
  });
}

function characterOf(codePoint: number): string | undefined {
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return codePoint >= 32 && !isSurrogate ? String.fromCodePoint(codePoint) : undefined;
}

/** Text in which each percent sign begins an escape. */
const escapes = /^(?:[^%]|%[\dA-Fa-f]{2})*$/;
/** An escape that is no percentage before digits, as in `50%20`: not after a number, or one of `,`, `/`, `:` and `+`. */
const clearEscape = /(?<=^|\D|%[\dA-Fa-f]{2})%[\dA-Fa-f]{2}|%(?:2[BCFbcf]|3[Aa])/;
const beyondAscii = /%[C-Fc-f][\dA-Fa-f]%[89ABab]/;
/** A byte of Windows-1252 alone in a word: `Jos%E9`, `O%92Brien`. `20 %de descuento` has a percent sign. */
const loneByte = /(?<=^|\p{L})%([89A-Fa-f][\dA-Fa-f])(?!%[89A-Fa-f])/gu;
const windows1252 = new TextDecoder('windows-1252');

/** Decodes a text that was encoded twice, bytes of Windows-1252, and `%u0141` of JavaScript's `escape`. */
function withoutEscapes(text: string): string {
  if (!text.includes('%')) return text;
  return decodeAgain(text) ?? decodeBytes(text);
}

/** The text without its second encoding; undefined for one that may be meant, and for bytes that are no UTF-8. */
function decodeAgain(text: string): string | undefined {
  if (!escapes.test(text) || !clearEscape.test(text)) return undefined;
  // Words with a space were not encoded: the encoding would have taken it along.
  if (text.includes(' ') && !beyondAscii.test(text)) return undefined;
  return decodeUtf8(text);
}

function decodeBytes(text: string): string {
  const decoded = text
    .replaceAll(
      /%u(d[89ab][\da-f]{2})%u(d[c-f][\da-f]{2})|%u([\da-f]{4})/gi,
      (whole, high?: string, low = '', hex = '') =>
        high === undefined
          ? (characterOf(Number.parseInt(String(hex), 16)) ?? whole)
          : String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(String(low), 16)),
    )
    .replaceAll(loneByte, (whole, hex: string) => {
      const character = windows1252.decode(Uint8Array.of(Number.parseInt(hex, 16)));
      return /[\p{L}‘’“”…–—€]/u.test(character) ? character : whole;
    });
  const isWhole = decoded !== text && !text.includes(' ') && !/%[89A-Fa-f]/.test(decoded);
  return isWhole ? (decodeUtf8(decoded) ?? decoded) : decoded;
}

function decodeUtf8(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** White space and characters without a width at both ends, such as a zero-width space of a web page. Linear time. */
const unseenEnds =
  /^[\s\u200B-\u200F\u2060\uFEFF]+|(?<![\s\u200B-\u200F\u2060\uFEFF])[\s\u200B-\u200F\u2060\uFEFF]+$/g;

/** An address without quotes around it, and with a scheme: `//host` is https. */
function correctAddress(text: string): string {
  const bare = text
    .replaceAll(unseenEnds, '')
    .replace(
      /^(?:"([^"]*)"|'([^']*)'|<([^<>]*)>|[“„”]([^“„”]*)[“”]|[‘‚’]([^‘‚’]*)[‘’]|«([^«»]*)»)$/u,
      '$1$2$3$4$5$6',
    )
    .replaceAll(unseenEnds, '');
  const address = /^https?%3A%2F%2F/i.test(bare) ? (decodeUtf8(bare) ?? bare) : bare;
  return address.startsWith('//') ? `https:${address}` : address;
}
