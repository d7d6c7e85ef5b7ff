/** The limits that keep every template and every render affordable. */

/** Limits of a document and of what a link gives to it (units in the names). */
export const templateLimits = {
  documentBytesMax: 256 * 1024,
  sidePxMax: 4096,
  /** Device pixels after scale. 16 MP are 64 MB of RGBA. */
  pixelsMax: 16 * 1024 * 1024,
  /**
   * Encodes that a link may choose for a template that does not say so itself. CPU time of the most expensive pixels, noise with
   * alpha (measured, one core): AVIF of 4 MP 1.2 s at quality 80, 1.5 s at 100; WebP of 8 MP 1.2 s, and 0.75 s opaque;
   * GIF of 4 MP 1.4 s.
   * `requireEncodable` refuses what the time left after painting does not allow. JPEG and PNG of `pixelsMax` take 0.8 s.
   */
  linkAvifPixelsMax: 4_000_000,
  linkAvifQualityMax: 80,
  linkWebpPixelsMax: 12_000_000,
  linkGifPixelsMax: 4_000_000,
  /** Frames of an animation: two minutes of a countdown. */
  framesMax: 120,
  /** Device pixels of all frames, changed or not, at scale 1: 120 frames of 1200 × 630. */
  animationCanvasPixelsMax: 100_000_000,
  /** Device pixels that all frames of an animation change together. They are held until the file is written: 96 MB. */
  animationPixelsMax: 24_000_000,
  /** Counted through all groups. */
  layersMax: 500,
  /** Groups within groups. */
  nestingMax: 8,
  /**
   * Painting by its estimate (`workers/paint/cost/paint-cost.ts`), in milliseconds of one core: what is over it answers
   * 400 when it is asked for. A banner of 1200 × 630 with a photograph takes 65, at scale 3 it takes 275.
   */
  paintMsMax: 1000,
  /** The same of one layer of the canvas, which the engine rasterises in one operation that cannot be interrupted. */
  layerPaintMsMax: 500,
  /**
   * Bytes that one render holds at once by estimate: its canvas, the buffers of the effects of one layer, its decoded
   * images. Caches of the engine come to it, 128 MiB at most: a render grows its process by 512 MiB or less.
   */
  renderBytesMax: 352 * 1024 * 1024,
  /**
   * Processor time of a whole image, as it is used, milliseconds: of its SVG drawings and of its render. No image takes
   * over 2 s: the rest is for what the last operation, the start of a process and cold code take over their estimates.
   */
  renderMsMax: 1700,
  /** Of that, the drawings of all SVG layers together. Logos take 20 to 200 ms. */
  drawingsMsMax: 800,
  /**
   * Layout of all texts and codes with the most expensive values, in milliseconds of one core (see `layoutCost`). A
   * layout cannot be interrupted: half a second keeps what waits behind it far from its deadline of 10 s.
   */
  layoutMsMax: 500,
  /**
   * Fonts of one document, counted as families with weight, slant and axes: a thread takes 11 ms to find
   * each when it first draws it (measured, one core). A ramp of all weights in two families has 18.
   */
  fontsMax: 32,
  /** Code points of `alt`: more than anybody reads aloud for one image. */
  altCodePointsMax: 1000,
  variablesMax: 200,
  /** Sizes of one design: publishing checks and draws each. */
  sizesMax: 8,
  /** `{{name}}` in all of a document: each writes a whole value, so 4 million characters to go through. */
  bindingsMax: 2000,
  /** The same with those of each item of a list: 200 items with two layers of 3 have 1,200. */
  drawnBindingsMax: 5000,
  /**
   * Characters of JSON of the layers that repeat, once for each item: a render goes through all of them. 200 items with
   * two layers have 100,000, and 20 items with an icon of 10 KB have 200,000.
   */
  repeatedCharactersMax: 4 * 1024 * 1024,
  /** The same of their conditions, which are asked for each item: 50 ms with dates, which take most. 200 layers take 20,000. */
  repeatedConditionsMax: 1024 * 1024,
  /**
   * Characters of JSON of all conditions, once for each item and frame: 40 ms. A text with a variable counts as 1,000, and
   * a variable that is compared without its case as 2,000.
   */
  frameConditionsMax: 4 * 1024 * 1024,
  /**
   * Layers that values decide to show, or which image they show, once for each item and frame: 45 ms. 80 layers in 120
   * frames have 9,600.
   */
  frameImagesMax: 10_000,
  /** Formats of all different bindings with the longest values, in milliseconds of one core (see `formatCost`). */
  formatsMsMax: 50,
  /** Largest number that a variable without bounds takes, and by its sign the smallest: 15 digits, which a double keeps. */
  numberMax: 999_999_999_999_999,
  /** Items of a list variable, and fields of an item. */
  listItemsMax: 200,
  listFieldsMax: 20,
  /** Code points of all values of one list: addresses of 100 images. A link carries 16 KiB. */
  listCodePointsMax: 16_000,
  /** Of them, those of its texts, as many as one long value has: each is laid out. */
  listTextCodePointsMax: 2000,
  /** Code points of one value: two pages of prose, more than an image can show. */
  valueCodePointsMax: 2000,
  /** Line breaks of one value: each is a paragraph to lay out. */
  valueLineBreaksMax: 100,
  /** Code points of all texts of one link: as many as its 16 KiB carry in letters of two bytes. */
  valuesCodePointsMax: 8000,
  /** Layout of one code or SVG, in the same milliseconds: others are refused. Texts are bounded by their characters. */
  layerLayoutMsMax: 50,
  /**
   * Code points of one layer, its spans and values together: one of the longest values and some words around it.
   * Along a path each costs more.
   */
  layerCodePointsMax: 2500,
  pathCodePointsMax: 1000,
  /** Line breaks of one layer: two of the values with most of them. */
  layerLineBreaksMax: 200,
} as const;

/** Items that a stack draws at most, where it does not say so. */
export const itemsMaxDefault = 20;
