/** SVG among the pictures of templates: told from other files, and drawn as the service draws what is uploaded. */
import type { SourceImage } from '#wire/render-job.ts';
import { loadConfig } from '../../config/config.ts';
import { createImageLoader, ImageError } from '../../images/load-images.ts';
import { readImageHeader } from '../../images/sniff/sniff-image.ts';
import { guessSvg } from '../../images/sniff/svg.ts';
import { prepareFontEnvironment } from '../../scheduling/font-environment.ts';
import type { AssetHeader } from '../../store/assets/asset-store.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { workDirectory } from '../user-cache.ts';

/** Stands for the sides of an SVG, which only its drawing has. */
const undrawn: AssetHeader = { format: 'png', widthPx: 1, heightPx: 1, orientation: 1 };

/** Whether bytes are an SVG, which is stored as it is and drawn from a PNG of it. */
export function isSvg(bytes: Uint8Array): boolean {
  return readImageHeader(bytes) === undefined && guessSvg(bytes) === 'yes';
}

/** The header of an image file, for `readPicture`; that of an SVG says nothing of its sides. Undefined for no image. */
export function readPictureHeader(bytes: Uint8Array): AssetHeader | undefined {
  return readImageHeader(bytes) ?? (isSvg(bytes) ? undrawn : undefined);
}

/**
 * Draws an SVG with the service's limits and fonts, in a process that ends with it (0.3 s). `where` begins the message
 * of the `CommandError` for one that cannot be drawn.
 */
export async function drawSvg(bytes: Uint8Array, where: string): Promise<SourceImage> {
  const config = loadConfig();
  const { decodesBytesMax: _threads, ...limits } = config.images;
  const svgFontConfigFile = await prepareFontEnvironment(workDirectory(config));
  const loader = createImageLoader({ ...limits, svgFontConfigFile, findAsset: () => undefined });
  try {
    const asker = { organizationUid: '', templateUid: '' };
    return await loader.admitFile(bytes, asker, AbortSignal.timeout(config.render.timeoutMs));
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw new CommandError(exitCodes.problems, `${where} ${error.message}.`);
  } finally {
    await loader.close();
  }
}
