/** Compares the renderer's drawings of all features with the sheet of Chromium's. */
import { join } from 'node:path';
import sharp from 'sharp';
import { SvgPool } from '../../../src/images/svg/pool.ts';
import { unsupportedInSvg } from '../../../workers/layout/svg-support.ts';
import { featureFile, featureSize, svgFeatures } from './features.ts';
import type { SvgFeature } from './parts.ts';

export const sheetPath = join(import.meta.dirname, 'chromium.png');

/** Drawings in a row of the sheet. */
export const columns = 12;

/** Share of the pixels of a drawing that may differ: edges are smoothed in other ways, and those of letters more. */
const differentMax = 0.02;
const lettersDifferentMax = 0.05;
/** Difference of a channel, of 255, that people see. */
const visible = 48;

export interface FeatureResult {
  feature: SvgFeature;
  /** Whether the drawing is that of Chromium. */
  isEqual: boolean;
  /** Share of the pixels that differ. */
  different: number;
  /** The warnings of a layer with it. */
  warnings: readonly string[];
}

export async function compareFeatures(
  svgFontConfigFile: string | undefined,
): Promise<FeatureResult[]> {
  const pool = new SvgPool({
    svgProcessesMax: 1,
    svgWaitingMax: 1,
    queueWaitMs: 60_000,
    svgTimeoutMs: 10_000,
    svgFontConfigFile,
  });
  const { width, height } = featureSize;
  const size = { widthPx: width, heightPx: height };
  const requester = { organizationUid: '', templateUid: '' };
  const { data: sheet, info } = await sharp(sheetPath).raw().toBuffer({ resolveWithObject: true });
  const results: FeatureResult[] = [];
  try {
    for (const [index, feature] of svgFeatures.entries()) {
      const file = featureFile(feature);
      const request = { file, key: String(index), size };
      const { png } = await pool
        .draw(request, requester, () => true)
        .catch((error: unknown) => {
          throw new Error(feature[1], { cause: error });
        });
      const cell = { left: (index % columns) * width, top: Math.floor(index / columns) * height };
      const theirs = await sharp(sheet, { raw: info })
        .extract({ ...cell, width, height })
        .raw()
        .toBuffer();
      const ours = await sharp(png).flatten({ background: '#fff' }).raw().toBuffer();
      const different = differentShare(ours, theirs);
      const isEqual = different <= (feature[0] === 'texts' ? lettersDifferentMax : differentMax);
      const warnings = unsupportedInSvg(file.toString());
      results.push({ feature, isEqual, different, warnings });
    }
  } finally {
    pool.close();
  }
  return results;
}

function differentShare(ours: Uint8Array, theirs: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < ours.length; at += 3) {
    const differs = [0, 1, 2].some(
      (channel) => Math.abs((ours[at + channel] ?? 0) - (theirs[at + channel] ?? 0)) > visible,
    );
    if (differs) count += 1;
  }
  return (3 * count) / ours.length;
}
