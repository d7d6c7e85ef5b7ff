/** What a picture that is encoded in bands offers, whatever its format: new bands for old ones, and whole files. */

/** One encoded band: its bytes as they stand in the file, and what the format must know of it. */
export type Band = Uint8Array | { deflated: Uint8Array; adler: number; rawBytes: number };

/**
 * The bands of one encoded picture. Bands are full-width stretches of `bandRows` rows from the top,
 * the last one shorter; each stands alone, so that any of them can be replaced.
 */
export interface BandedImage {
  bandRows: number;
  /** Bytes a pixel of the rows that `encodeBands` takes: 3 for RGB, 4 for RGBA, not premultiplied. */
  channels: 3 | 4;
  /** Bytes of memory that the bands take, for the bound of whoever keeps them. */
  sizeBytes: number;
  /** Encodes the bands from `firstBand` on that `rows` holds; `rows` begins at the first band's first row. */
  encodeBands(rows: Uint8Array, firstBand: number): Promise<Band[]>;
  /** The whole file, with `changed` in place of the bands of those numbers. The caller owns the bytes. */
  toFile(changed: ReadonlyMap<number, Band>): Uint8Array<ArrayBuffer>;
}
