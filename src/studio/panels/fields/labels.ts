/** Labels of properties and of their values. */

/** Labels of properties whose name alone is unclear. */
const labels: Readonly<Record<string, string>> = {
  src: 'Source',
  spans: 'Styled parts',
  svg: 'Markup',
  brand: 'Follows the brand',
  alt: 'Alternative text',
  lang: 'Language',
  fonts: 'Fallback fonts',
  emptyWords: 'Treat these words as missing',
  onError: 'If it fails',
  onImageError: 'Lost image',
  maxAgeSeconds: 'Cached for',
  framesPerSecond: 'Frame rate',
  minSize: 'Smallest size',
  verticalAlign: 'Vertical',
  paragraphSpacing: 'Paragraphs',
  visibleWhen: 'Show when',
  focusX: 'Focus X',
  focusY: 'Focus Y',
  flipX: 'Flip X',
  flipY: 'Flip Y',
  color: 'Colour',
  colors: 'Colours',
  hueRotate: 'Hue',
  errorCorrection: 'Correction',
  max: 'Items at most',
  centerX: 'Centre X',
  centerY: 'Centre Y',
};

/** Returns the label of a property: `fontSize` is Font size. */
export function labelOf(name: string): string {
  const known = labels[name];
  if (known !== undefined) return known;
  const words = name.replaceAll(/([a-z])([A-Z])/g, (_, end: string, start: string) => {
    return `${end} ${start.toLowerCase()}`;
  });
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the label of one entry of a list: `spans` has Styled part. */
export function entryLabel(label: string): string {
  return label.replace(/(?<![su])s$/, '');
}

/** Returns a path in words: `shadow.blur` is Shadow, blur, and `bySize.story.x` is X in story. A list item gets its number, counted from 1. */
export function pathWords(path: string): string {
  const [, size, property] = /^bySize\.([^.]+)\.(.+)$/.exec(path) ?? [];
  if (size !== undefined && property !== undefined) return `${pathWords(property)} in ${size}`;
  const steps = path.split('.').filter((step) => step !== '');
  const words = steps.map((step) => {
    const [, name = step, index] = /^(.*?)(?:\[(\d+)\])?$/.exec(step) ?? [];
    const label = labelOf(name);
    return index === undefined ? label : `${entryLabel(label)} ${Number(index) + 1}`;
  });
  return words.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(', ');
}

/** Hints of properties whose description names properties, values or syntax of the format. */
const hints: Readonly<Record<string, string>> = {
  src: 'an upload, an address or a variable',
  emptyWords: 'some email services write them when they know no value',
  image: 'an upload, an address or a variable',
  onError: 'what a link that fails answers',
  maxAgeSeconds: 'how long a link without a version may be cached',
  ignoreCase: 'capitals and small letters are the same',
  fontFeatures: 'OpenType features and their values',
  fontVariations: 'axes of a variable font and their values',
  colors: 'colours of the markup and what stands for them',
  kind: 'the kind of code',
  visibleWhen: 'conditions that must all hold',
  animation: 'what animated files show; other files show the image as designed',
  viewBox: 'the part of the path’s space that fills the box',
  more: 'a layer that follows the items once if the list has more',
};

/** Returns the hint of a property: its description without the words and the default of the format. */
export function hintOf(name: string, description: string): string {
  const clauses = description
    .split('; ')
    .filter((clause) => !/^default |^[^ ]+(, [^ ]+)* or [^ ]+$/.test(clause));
  return (
    hints[name] ??
    clauses.join('; ').replaceAll(/ \(#rrggbb\)|: #rgb.*|: \[.*?\]| \(an object\)/g, '')
  );
}

/** Returns the label of a key of a record. Only `currentColor`, the colour of a drawing, has a label of its own. */
export function recordLabel(name: string): string {
  return name === 'currentColor' ? 'Colour' : name;
}

/** Labels of values by property, for values whose word in the schema is unclear. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  onError: {
    auto: 'Image for readers',
    image: 'Show the default image',
    json: 'Answer an error',
  },
  onImageError: { error: 'Answer an error', default: 'Show its default' },
  fit: {
    cover: 'Fill the box',
    contain: 'Fit inside',
    fill: 'Stretch',
    none: 'Original size',
    'scale-down': 'Fit, never larger',
  },
  overflow: {
    shrink: 'Shrink the text',
    grow: 'Grow the box',
    ellipsis: 'End with …',
    clip: 'Cut off',
    visible: 'Spill over',
  },
  errorCorrection: { L: '7%', M: '15%', Q: '25%', H: '30%' },
  direction: { ltr: 'Left to right', rtl: 'Right to left' },
  transform: { uppercase: 'UPPERCASE', lowercase: 'lowercase', capitalize: 'Each Word' },
  animation: {
    countdown: 'Counts down',
    values: 'Values one after another',
    motion: 'Layers move',
  },
  type: { boolean: 'Yes or no', color: 'Colour' },
  missingGlyph: { box: 'A box', drop: 'Nothing', default: 'The default value' },
  format: {
    png: 'PNG',
    jpeg: 'JPEG',
    webp: 'WebP',
    avif: 'AVIF',
    gif: 'GIF',
    pdf: 'PDF',
    svg: 'SVG',
  },
};

/** Properties whose values are shown unchanged. */
const literalNames = new Set(['emptyWords', 'kind']);

/** Returns the label of a value, or the value itself if it has none. */
export function knownWord(name: string, value: string): string {
  return words[name]?.[value] ?? value;
}

/** Returns the label of a value: `scale-down` of `fit` is Fit, never larger. Other values get a capital letter. */
export function wordOf(name: string, word: string): string {
  const known = words[name]?.[word];
  if (known !== undefined || literalNames.has(name)) return known ?? word;
  return word.charAt(0).toUpperCase() + word.slice(1).replaceAll('-', ' ');
}
