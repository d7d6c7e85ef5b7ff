/** Reads AVIF headers: the box structure of ISO/IEC 14496-12 and the item properties of HEIF (ISO/IEC 23008-12). */
import { ByteView } from './header.ts';
import type { ImageHeader } from './header.ts';

/** Boxes read of one container, and items read of one table; an image with alpha and EXIF has some 20. */
const boxesMax = 1024;

interface Box {
  type: string;
  /** Offsets of the content: its start, and its end (at most the end of the container). */
  start: number;
  end: number;
}

/** Size of a `ftyp` box with 125 brands; real boxes have some 6. At most `sniffBytes`. */
const fileTypeBytesMax = 512;

/** The brands of the leading `ftyp` box, major brand first; empty if there is no such box or it is too long. */
export function readBrands(view: ByteView): string[] {
  const length = view.u32(0);
  if (length < 16 || length > fileTypeBytesMax || !view.has(0, length)) return [];
  if (view.text(4, 4) !== 'ftyp') return [];
  const brands = [view.text(8, 4)];
  for (let at = 16; at + 4 <= length; at += 4) brands.push(view.text(at, 4));
  return brands;
}

/** Whether a file has the major brand `avis` of an AVIF image sequence (AV1-ISOBMFF), which libvips rejects. */
export function isAvifSequence(bytes: Uint8Array): boolean {
  return readBrands(new ByteView(bytes))[0] === 'avis';
}

/** The header of an AVIF's primary image; undefined if its properties have no size. */
export function readAvifHeader(view: ByteView): ImageHeader | undefined {
  const top = boxes(view, 0, view.size);
  const meta = top.find((box) => box.type === 'meta');
  if (meta === undefined) return undefined;
  // `meta` is a full box: four bytes of version and flags come first.
  const items = boxes(view, meta.start + 4, meta.end);
  const properties = items.find((box) => box.type === 'iprp');
  if (properties === undefined) return undefined;
  const tables = boxes(view, properties.start, properties.end);
  const container = tables.find((box) => box.type === 'ipco');
  if (container === undefined) return undefined;
  const all = boxes(view, container.start, container.end);
  const associations = tables.find((box) => box.type === 'ipma');
  const itemProperties = propertiesOf(view, primaryItem(view, items), associations).flatMap(
    (index) => all[index - 1] ?? [],
  );
  const extent = itemProperties.find((box) => box.type === 'ispe');
  if (extent === undefined) return undefined;
  const widthPx = view.u32(extent.start + 4);
  const heightPx = view.u32(extent.start + 8);
  if (widthPx === 0 || heightPx === 0) return undefined;
  const rotation = itemProperties.find((box) => box.type === 'irot');
  const turned = rotation !== undefined && view.u8(rotation.start) % 2 === 1;
  return {
    format: 'avif',
    widthPx: turned ? heightPx : widthPx,
    heightPx: turned ? widthPx : heightPx,
    orientation: 1,
    frames: countSamples(view, top),
    bitDepth: bitDepth(view, all),
    channels: all.some((box) => isAlpha(view, box)) ? 4 : 3,
    interlaced: false,
    truncated: false,
  };
}

/** The consecutive boxes in `start` … `end`; stops at the first invalid one. */
function boxes(view: ByteView, start: number, end: number): Box[] {
  const found: Box[] = [];
  let offset = start;
  while (offset + 8 <= end && found.length < boxesMax) {
    const short = view.u32(offset);
    // A length of 1: a 64-bit length follows the type. A length of 0: the box extends to the end.
    const headBytes = short === 1 ? 16 : 8;
    const long = view.u32(offset + 8) * 2 ** 32 + view.u32(offset + 12);
    const length = short === 1 ? long : short === 0 ? end - offset : short;
    if (length < headBytes) break;
    found.push({
      type: view.text(offset + 4, 4),
      start: offset + headBytes,
      end: Math.min(offset + length, end),
    });
    offset += length;
  }
  return found;
}

function primaryItem(view: ByteView, items: Box[]): number {
  const box = items.find((item) => item.type === 'pitm');
  if (box === undefined) return 0;
  return view.u8(box.start) === 0 ? view.u16(box.start + 4) : view.u32(box.start + 4);
}

/** The one-based indexes into `ipco` that `ipma` gives this item. */
function propertiesOf(view: ByteView, item: number, table: Box | undefined): number[] {
  if (table === undefined) return [];
  const idBytes = view.u8(table.start) === 0 ? 2 : 4;
  const wide = (view.u24(table.start + 1) & 1) === 1;
  const entries = Math.min(view.u32(table.start + 4), boxesMax);
  let offset = table.start + 8;
  for (let entry = 0; entry < entries && offset < table.end; entry++) {
    const id = idBytes === 2 ? view.u16(offset) : view.u32(offset);
    const count = view.u8(offset + idBytes);
    const first = offset + idBytes + 1;
    if (id === item)
      return Array.from({ length: count }, (_, index) =>
        wide ? view.u16(first + index * 2) & 0x7fff : view.u8(first + index) & 0x7f,
      );
    offset = first + count * (wide ? 2 : 1);
  }
  return [];
}

/** Bits of a sample, 8, 10 or 12, from the codec configuration (AV1-ISOBMFF section 2.3.3). */
function bitDepth(view: ByteView, properties: Box[]): number {
  const configuration = properties.find((box) => box.type === 'av1C');
  const flags = configuration === undefined ? 0 : view.u8(configuration.start + 2);
  if ((flags & 0x40) === 0) return 8;
  return flags & 0x20 ? 12 : 10;
}

function isAlpha(view: ByteView, box: Box): boolean {
  // `urn:mpeg:mpegB:cicp:systems:auxiliary:alpha` after version and flags.
  const length = Math.min(box.end - box.start, 64);
  return box.type === 'auxC' && view.text(box.start, length).includes(':alpha');
}

/** Number of images of an image sequence, by the sizes that its first track lists; 1 for a still. */
function countSamples(view: ByteView, top: Box[]): number {
  let level = top;
  let box: Box | undefined;
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsz']) {
    box = level.find((candidate) => candidate.type === type);
    if (box === undefined) return 1;
    level = boxes(view, box.start, box.end);
  }
  if (box === undefined) return 1;
  const listed = Math.floor((box.end - box.start - 12) / 4);
  return Math.max(1, Math.min(view.u32(box.start + 8), listed));
}
