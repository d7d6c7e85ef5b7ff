/** What a font file says of itself, as it is found when an organization brings it. */
import type { FontAxis } from './render-job.ts';

/** A script that a font can write, and a few of its letters. */
export interface ScriptSample {
  /** As Unicode names it: `Latin`, `Cyrillic`, `Han` … */
  script: string;
  sample: string;
}

/** Facts of one file; texts are the font's own, cut to 500 characters. */
export interface FontFacts {
  family: string;
  fullName: string;
  weight: number;
  italic: boolean;
  /** By their tags; empty for a font of one look. */
  axes: Record<string, FontAxis>;
  scripts: ScriptSample[];
  glyphs: number;
  /**
   * What its maker allows documents to do with it (OpenType 1.9, `OS/2`, `fsType`). A picture holds no font, so that
   * nothing is refused for it: the organization answers for its licence.
   */
  embedding: 'installable' | 'editable' | 'preview-and-print' | 'restricted';
  license: string;
  licenseUrl: string;
}

/** What a thread is asked that looks at fonts: to judge an uploaded file, or to list the bundled families. */
export type InspectionOrder = { kind: 'file'; bytes: Uint8Array } | { kind: 'families' };

/** A sound font with the file to keep, or what is wrong with it, to follow "The font". */
export type FontVerdict =
  | { ok: true; facts: FontFacts; file: Uint8Array<ArrayBuffer> }
  | { ok: false; problem: string };

/** A family that every organization may name. */
export interface BundledFamily {
  family: string;
  /** Upright ones first, by weight. */
  styles: { weight: number; italic: boolean }[];
  axes: Readonly<Record<string, FontAxis>>;
  scripts: ScriptSample[];
  /** Files of the styles, on this machine: no answer has them. */
  files: FontFile[];
}

/** A font file on this machine. */
export interface FontFile {
  path: string;
  weight: number;
  italic: boolean;
}
