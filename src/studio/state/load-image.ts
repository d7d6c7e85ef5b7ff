/** Images that are loaded before they are put into the page. */

/**
 * An image that the next frame of the screen paints; undefined when it is broken. `decode` would wait for a frame of its own,
 * and the image for the one after it.
 */
export function loadImage(url: string): Promise<HTMLImageElement | undefined> {
  return new Promise((resolve) => {
    const image = createImage(url);
    image.addEventListener('load', () => resolve(image));
    image.addEventListener('error', () => resolve(undefined));
  });
}

export function createImage(url: string): HTMLImageElement {
  const image = new Image();
  image.alt = '';
  image.draggable = false;
  // Two images that swap are painted in the same frame of the screen.
  image.decoding = 'sync';
  image.src = url;
  return image;
}
