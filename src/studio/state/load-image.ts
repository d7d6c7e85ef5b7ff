/** Loads images before they are put into the page. */

/**
 * Loads an image that the next frame of the screen can paint; undefined if the image is broken. With `decode`, it
 * would appear a frame later.
 */
export function loadImage(url: string): Promise<HTMLImageElement | undefined> {
  return new Promise((resolve) => {
    const image = new Image();
    image.alt = '';
    image.draggable = false;
    // Paints two images that swap in the same frame of the screen.
    image.decoding = 'sync';
    image.addEventListener('load', () => resolve(image));
    image.addEventListener('error', () => resolve(undefined));
    image.src = url;
  });
}
