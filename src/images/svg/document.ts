/** Prepares an SVG file for drawing: decodes its text, rejects external references, and sets the size of its root. */
import { svgDefect } from '#language/check/svg-markup.ts';
import { encodingOf, firstElement } from '../sniff/svg.ts';

/** An SVG that cannot be drawn; `message` continues a sentence after the image's name. */
export class SvgError extends Error {
  override name = 'SvgError';
}

/**
 * The markup of a file, from its root element on. Throws `SvgError`.
 *
 * Decodes the bytes and removes everything before the root, so that the checked text is the drawn text. A declaration
 * may claim UTF-7, which hides brackets from every check. A processing instruction may name a style sheet's file. A
 * comment may contain another root. A document type is removed too, because drawing programs often write one; if it
 * declares entities, the file is rejected.
 */
export function readSvgDocument(bytes: Uint8Array): string {
  const text = decode(bytes);
  const root = firstElement(text);
  if (/<!ENTITY/i.test(text.slice(0, Math.max(0, root))))
    throw new SvgError(
      'is an SVG with entities of its own, which are not read: save it without "Preserve Illustrator Editing Capabilities"',
    );
  const document = root === -1 ? '' : text.slice(root);
  const defect = svgDefect(document);
  if (defect === undefined) return document;
  // Without the advice of the defect, which is for the designer of a template: the file may belong to others.
  throw new SvgError(defect.isNoSvg ? defect.fact : `is an SVG that ${defect.fact}`);
}

/** Bounds of a drawing's longest side in pixels: large enough for any use, and small enough to draw. */
const drawnSidePx = { min: 2048, max: 4096 } as const;

/** Markup whose root has exactly `widthPx` × `heightPx`; `scale` is the ratio of this size to the file's size. */
export interface SizedSvg {
  markup: string;
  widthPx: number;
  heightPx: number;
  scale: number;
}

/**
 * Sets the size of a root element. `intrinsic` is the size in whole pixels that the renderer computes from units and
 * percentages. A `viewBox` within 5 % of the proportions of this size gives the exact proportions. `shrink` is 1, or
 * less for a smaller drawing.
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
  // A declaration that is readable as ASCII is not in UTF-16, even if it claims so.
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
