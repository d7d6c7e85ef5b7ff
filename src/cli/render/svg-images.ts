/** Recognizes SVG files among the images of templates, and draws them like the service draws uploads. */
import type { SourceImage } from '#wire/render-job.ts';
import { loadConfig } from '../../settings.ts';
import { createImageLoader, ImageError } from '../../images/load-images.ts';
import { readImageHeader } from '../../images/sniff/sniff-image.ts';
import { guessSvg } from '../../images/sniff/svg.ts';
import { prepareFontEnvironment } from '../../scheduling/font-environment.ts';
import type { AssetHeader } from '../../store/assets/asset-store.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { workDirectory } from '../files.ts';

/** Placeholder header of an SVG: only its drawing has the size. */
const undrawn: AssetHeader = { format: 'png', widthPx: 1, heightPx: 1, orientation: 1 };

/** Whether bytes are an SVG. The SVG is stored unchanged, and its drawing is rendered. */
export function isSvg(bytes: Uint8Array): boolean {
  return readImageHeader(bytes) === undefined && guessSvg(bytes) === 'yes';
}

/** The header of an image file, for `readImage`. The size of an SVG is a placeholder. Undefined for no image. */
export function readFileHeader(bytes: Uint8Array): AssetHeader | undefined {
  return readImageHeader(bytes) ?? (isSvg(bytes) ? undrawn : undefined);
}

/**
 * Draws an SVG with the service's limits and fonts, in a new process (0.3 s). If the SVG cannot be drawn, throws a
 * `CommandError` whose message begins with `where`.
 */
export async function drawSvg(bytes: Uint8Array, where: string): Promise<SourceImage> {
  const config = loadConfig();
  const { decodesBytesMax: _decodesBytesMax, ...limits } = config.images;
  const svgFontConfigFile = await prepareFontEnvironment(workDirectory(config));
  const loader = createImageLoader({ ...limits, svgFontConfigFile, findAsset: () => undefined });
  try {
    const requester = { organizationUid: '', templateUid: '' };
    return await loader.admitFile(bytes, requester, AbortSignal.timeout(config.render.timeoutMs));
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw new CommandError(exitCodes.problems, `${where} ${error.message}.`);
  } finally {
    await loader.close();
  }
}
