/** Labels of properties. */

/** Labels where the name of the property alone says too little. */
const labels: Readonly<Record<string, string>> = {
  src: 'Source',
  svg: 'Markup',
  alt: 'Alternative text',
  lang: 'Language',
  fonts: 'Fallback fonts',
  linkAuth: 'Access',
  linkOptions: 'Options',
  emptyWords: 'Count as empty',
  onError: 'On failure',
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
  errorCorrection: 'Correction',
  max: 'Items at most',
  centerX: 'Centre X',
  centerY: 'Centre Y',
};

/** A label for people: `fontSize` is Font size. */
export function labelOf(name: string): string {
  const known = labels[name];
  if (known !== undefined) return known;
  const words = name.replaceAll(/([a-z])([A-Z])/g, (_, end: string, start: string) => {
    return `${end} ${start.toLowerCase()}`;
  });
  return words.charAt(0).toUpperCase() + words.slice(1);
}
