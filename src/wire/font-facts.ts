/** Facts of font files: of uploads, of stored files and of bundled families. */

/** An axis of a variable font (OpenType 1.9, `fvar`), in the units of the axis. */
export interface FontAxis {
  min: number;
  max: number;
  /** The default of the font. */
  initial: number;
}

/** A TrueType or OpenType file of an organization, checked when it was stored. */
export interface OrganizationFontFile {
  path: string;
  /** SHA-256 of the file, lower-case hexadecimal. */
  digest: string;
  sizeBytes: number;
  /** 1 … 1000; for a variable font, its default weight. */
  weight: number;
  italic: boolean;
  axes: Record<string, FontAxis>;
}

/** A script of a font, with sample letters. */
export interface ScriptSample {
  /** Unicode name: `Latin`, `Cyrillic`, `Han` … */
  script: string;
  sample: string;
}

/** Facts of one file; texts come from the font, cut to 500 characters. */
export interface FontFacts {
  family: string;
  fullName: string;
  weight: number;
  italic: boolean;
  /** Variation axes by tag; empty for a static font. */
  axes: Record<string, FontAxis>;
  scripts: ScriptSample[];
  glyphs: number;
  /**
   * Embedding permission (OpenType 1.9, `OS/2`, `fsType`). An image contains no font, so no value is refused; the
   * organization is responsible for the licence.
   */
  embedding: 'installable' | 'editable' | 'preview-and-print' | 'restricted';
  license: string;
  licenseUrl: string;
}

/** Request to the font inspector: check an upload, list the bundled families, or extract one font of a collection. */
export type InspectionOrder =
  | { kind: 'file'; bytes: Uint8Array }
  | { kind: 'families' }
  | { kind: 'face'; file: FontFile };

/** The reason for refusing a file: it has no font format, or it is a font that cannot be used. */
export type FontRefusal = 'format' | 'unusable';

/** A valid font with the file to store, or its problem, as the end of a sentence after "The font". */
export type FontVerdict =
  | { ok: true; facts: FontFacts; file: Uint8Array<ArrayBuffer> }
  | { ok: false; reason: FontRefusal; problem: string };

/** A bundled family, which every organization may use. */
export interface BundledFamily {
  family: string;
  /** Upright styles first, by weight. */
  styles: { weight: number; italic: boolean }[];
  axes: Readonly<Record<string, FontAxis>>;
  scripts: ScriptSample[];
  /** Files of the styles on this machine; no answer contains them. */
  files: FontFile[];
}

/** A font file on this machine. */
export interface FontFile {
  path: string;
  /** Index in a collection; absent for a file of one font. */
  face?: number | undefined;
  weight: number;
  italic: boolean;
}
