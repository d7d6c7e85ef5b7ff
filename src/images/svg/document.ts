/** Makes an SVG file safe and ready to be drawn: readable text, nothing from outside, a root of the wanted size. */
import { svgDefect } from '#language/check/svg-markup.ts';
import { encodingOf, firstElement } from '../sniff/svg.ts';

/** An SVG that cannot be drawn; `message` continues a sentence after the image's name. */
export class SvgError extends Error {
  override name = 'SvgError';
}

/**
 * The markup of a file, from its root element on. Throws `SvgError`.
 *
 * What is checked is what is drawn: bytes are decoded here and everything before the root is cut off
 * first. A declaration may claim UTF-7, which hides brackets from every check; a processing instruction
 * may name a style sheet's file; a comment may hold a root of its own. A document type goes with them,
 * as drawing programs write one by habit, unless it declares entities: those would be missed.
 */
export function readSvgDocument(bytes: Uint8Array): string {
  const text = decode(bytes);
  const root = firstElement(text);
  if (/<!ENTITY/i.test(text.slice(0, Math.max(0, root))))
    throw new SvgError('is an SVG with entities of its own, which are not read');
  const document = root === -1 ? '' : text.slice(root);
  const defect = svgDefect(document);
  if (defect === undefined) return document;
  // Without the remedy: it is for a template's designer, and this file may be anybody's.
  throw new SvgError(defect.isNoSvg ? defect.fact : `is an SVG that ${defect.fact}`);
}

/** Longest side of a drawing in pixels: small ones are drawn large enough for any use, large ones no larger than this. */
const drawnSidePx = { min: 2048, max: 4096 } as const;

/** Markup that draws into exactly `widthPx` × `heightPx`; `scale` is their ratio to the file's own size. */
export interface SizedSvg {
  markup: string;
  widthPx: number;
  heightPx: number;
  scale: number;
}

/**
 * Sets the size of a root element. `intrinsic` is the size in whole pixels that the renderer
 * computes from units and percentages; a `viewBox` of nearly its proportions gives the exact ones.
 * `shrink` is 1, or less for a smaller drawing.
 */
export function sizeSvg(
  document: string,
  intrinsic: { width: number; height: number },
  shrink: number,
): SizedSvg {
  const tag = rootTag.exec(document)?.[0] ?? '';
  const box = viewBoxOf(tag);
  const written = { width: numberOf(tag, 'width'), height: numberOf(tag, 'height') };
  const width = written.width ?? intrinsic.width;
  let height = written.height ?? intrinsic.height;
  if (box !== undefined && Math.abs((box.height / box.width / height) * width - 1) < 0.05)
    height = (width * box.height) / box.width;
  const longest = Math.max(width, height);
  const { min, max } = drawnSidePx;
  const scale = (Math.min(max, Math.max(min, longest)) * shrink) / longest;
  const widthPx = Math.max(1, Math.round(width * scale));
  const heightPx = Math.max(1, Math.round(height * scale));
  const sized = tag
    .replaceAll(/\s(?:width|height)\s*=\s*(?:"[^"]*"|'[^']*')/g, ' ')
    .replace(/^<[\w.:-]+/, `$& width="${widthPx}" height="${heightPx}"`);
  const viewBox = box === undefined ? ` viewBox="0 0 ${width} ${height}"` : '';
  const markup = sized.replace(/\/?>$/, `${viewBox}$&`) + document.slice(tag.length);
  return { markup, widthPx, heightPx, scale };
}

const rootTag = /^<(?:"[^"]*"|'[^']*'|[^"'<>])*>/;

function decode(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 256)).toString('latin1');
  const declared = /^[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1] ?? '';
  const seen = encodingOf(bytes);
  // A declaration that reads as ASCII is not in UTF-16, whatever it says.
  const encoding = seen === 'utf-8' && !/^utf-?16|^$/i.test(declared) ? declared : seen;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new SvgError('is an SVG whose text cannot be read: save it as UTF-8');
  }
}

function viewBoxOf(tag: string): { width: number; height: number } | undefined {
  const value = /\sviewBox\s*=\s*["']([^"']*)["']/.exec(tag)?.[1] ?? '';
  const [, , width = 0, height = 0] = value
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return width > 0 && height > 0 && Number.isFinite(width / height) ? { width, height } : undefined;
}

/** A length in pixels; undefined for other units, which the renderer converts. */
function numberOf(tag: string, name: string): number | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*["']\\s*(\\d*\\.?\\d+)(?:px)?\\s*["']`).exec(tag);
  const value = Number(match?.[1] ?? 0);
  return value > 0 ? value : undefined;
}
