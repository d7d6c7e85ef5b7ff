/** The limits that bound the cost of every template and every render. */

/** Limits of a document and of the values and options of a link. Names carry the units. */
export const templateLimits = {
  documentBytesMax: 256 * 1024,
  sidePxMax: 4096,
  /** Device pixels after scale. 16 MP are 64 MB of RGBA. */
  pixelsMax: 16 * 1024 * 1024,
  /**
   * Limits of the encodes that a link may choose if its template does not. CPU time of the most expensive pixels, noise
   * with alpha (measured, one core): AVIF of 4 MP 1.2 s at quality 80, 1.5 s at 100; WebP of 8 MP 1.2 s, and 0.75 s
   * opaque; GIF of 4 MP 1.4 s. JPEG and PNG of `pixelsMax` take 0.8 s. `requireEncodable` refuses an encode that takes
   * longer than the time left after painting.
   */
  linkAvifPixelsMax: 4_000_000,
  linkAvifQualityMax: 80,
  linkWebpPixelsMax: 12_000_000,
  linkGifPixelsMax: 4_000_000,
  /** Frames of an animation: two minutes of a countdown. */
  framesMax: 120,
  /** Device pixels of all frames, changed or not, at scale 1: 120 frames of 1200 × 630. */
  animationCanvasPixelsMax: 100_000_000,
  /** Device pixels that all frames of an animation change together, kept until the file is written: 96 MB. */
  animationPixelsMax: 24_000_000,
  /** Layers of a document, including those in groups. */
  layersMax: 500,
  /** Depth of groups within groups. */
  nestingMax: 8,
  /**
   * Estimated CPU time of painting on one core (`workers/paint/cost/paint-cost.ts`). A render over the limit is
   * answered 400. A banner of 1200 × 630 with a photograph takes 65 ms, at scale 3 it takes 275 ms.
   */
  paintMsMax: 1000,
  /** The same for one layer of the canvas, which the engine rasterises in one uninterruptible operation. */
  layerPaintMsMax: 500,
  /**
   * Estimated peak memory of one render: its canvas, the buffers of the effects of one layer, its decoded images. The
   * caches of the engine add at most 128 MiB: a render grows its process by 512 MiB or less.
   */
  renderBytesMax: 352 * 1024 * 1024,
  /**
   * CPU time of a whole image: its SVG drawings and its render. No image takes over 2 s: the rest is a margin for the
   * last operation, the start of a process and cold code.
   */
  renderMsMax: 1700,
  /**
   * The same at a slow moment: the machine is busy, or the code of a new process is cold. Counts alone refuse an image
   * with 400, so a measured time must not (`src/scheduling/long-renders.ts`).
   */
  longRenderMsMax: 3000,
  /** CPU time of the drawings of all SVG layers, part of `renderMsMax`. Logos take 20 to 200 ms. */
  drawingsMsMax: 800,
  /**
   * CPU time of the layout of all texts and codes with the most expensive values (see `layoutCost`). A layout cannot be
   * interrupted: waiting renders stay far from their deadline of 10 s.
   */
  layoutMsMax: 500,
  /**
   * Fonts of one document, counted as families with weight, slant and axes. A thread takes 11 ms to find each at its
   * first use (measured, one core). All weights of two families are 18 fonts.
   */
  fontsMax: 32,
  /** Code points of `alt`: more than a person would read aloud for one image. */
  altCodePointsMax: 1000,
  variablesMax: 200,
  /** Data tables of a document. A link opens each, which takes 0.5 ms of the thread that answers. */
  tablesMax: 16,
  /** Sizes of one design. Publishing checks and renders each. */
  sizesMax: 8,
  /** Bindings in a document. Each writes a whole value, so a render processes up to 4 million characters. */
  bindingsMax: 2000,
  /** Bindings, in repeated layers once for each item. 200 items with two layers of 3 have 1,200. */
  drawnBindingsMax: 5000,
  /**
   * Characters of JSON of repeated layers, once for each item: a render processes all of them. 200 items with two
   * layers have 100,000, and 20 items with an icon of 10 KB have 200,000.
   */
  repeatedCharactersMax: 4 * 1024 * 1024,
  /**
   * Characters of their conditions, evaluated for each item: 50 ms with dates, the slowest type. 200 layers have
   * 20,000.
   */
  repeatedConditionsMax: 1024 * 1024,
  /**
   * Characters of JSON of all conditions, once for each item and frame: 40 ms. A binding counts as 400, and a
   * variable that is compared without its case as 2,000.
   */
  frameConditionsMax: 4 * 1024 * 1024,
  /**
   * Characters that finding the images of all frames counts as, 10 ms of the thread that answers: conditions, 100 for a
   * layer and 400 for a binding, once for each item. 20 layers in 120 frames have 1,200,000.
   */
  frameImagesMax: 2 * 1024 * 1024,
  /** CPU time of the formats of all different bindings with the longest values (see `formatCost`). */
  formatsMsMax: 50,
  /** Largest absolute number of a variable without bounds: 15 digits, which a double keeps. */
  numberMax: 999_999_999_999_999,
  /** Items of a list variable, and fields of an item. */
  listItemsMax: 200,
  listFieldsMax: 20,
  /** Code points of all values of one list: addresses of 100 images. A link carries 16 KiB. */
  listCodePointsMax: 16_000,
  /** Code points of the texts of one list, as many as one long value. Each text is laid out. */
  listTextCodePointsMax: 2000,
  /** Code points of one value: two pages of prose, more than an image can show. */
  valueCodePointsMax: 2000,
  /** Line breaks of one value. Each starts a paragraph, which is laid out. */
  valueLineBreaksMax: 100,
  /** Code points of all texts of one link: as many letters of two bytes as its 16 KiB hold. */
  valuesCodePointsMax: 8000,
  /** UTF-16 units of all lists of one link from data tables: eight of the longest. Each takes 2 ms of the thread. */
  tableListsUnitsMax: 64_000,
  /** CPU time of the layout of one code or SVG; more is refused. Other limits bound the characters of texts. */
  layerLayoutMsMax: 50,
  /**
   * Code points of one layer with its spans and values: one longest value and some words around it. Text along a path
   * costs more, so its limit is lower.
   */
  layerCodePointsMax: 2500,
  pathCodePointsMax: 1000,
  /** Line breaks of one layer: two values with the most line breaks. */
  layerLineBreaksMax: 200,
} as const;

/** Maximum items that a stack draws without `repeat.max`. */
export const itemsMaxDefault = 20;
