/** SVG files among the images of templates: recognized, and drawn as the service draws uploads. */
import type { SourceImage } from '#wire/render-job.ts';
import { loadConfig } from '../../config/config.ts';
import { createImageLoader, ImageError } from '../../images/load-images.ts';
import { readImageHeader } from '../../images/sniff/sniff-image.ts';
import { guessSvg } from '../../images/sniff/svg.ts';
import { prepareFontEnvironment } from '../../scheduling/font-environment.ts';
import type { AssetHeader } from '../../store/assets/asset-store.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { workDirectory } from '../files.ts';

/** The header of an SVG, whose size only its drawing has. */
const undrawn: AssetHeader = { format: 'png', widthPx: 1, heightPx: 1, orientation: 1 };

/** Whether bytes are an SVG. It is stored as it is, and rendered from its drawing. */
export function isSvg(bytes: Uint8Array): boolean {
  return readImageHeader(bytes) === undefined && guessSvg(bytes) === 'yes';
}

/** The header of an image file, for `readImage`; without the size of an SVG. Undefined for no image. */
export function readFileHeader(bytes: Uint8Array): AssetHeader | undefined {
  return readImageHeader(bytes) ?? (isSvg(bytes) ? undrawn : undefined);
}

/**
 * Draws an SVG with the service's limits and fonts, in a process that ends with it (0.3 s). `where` begins the message
 * of the `CommandError` if it cannot be drawn.
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
