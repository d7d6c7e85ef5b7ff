/** Documents near the limits of what is accepted and beyond them, for previews; each differs by its number. */

interface Layer {
  id: string;
  type: string;
  [property: string]: unknown;
}

const width = 1200;
const height = 630;
const groupsDeep = 8;
const strokedCharacters = 2000;

/** The documents by what is expensive in them. */
const documents: readonly ((index: number) => Layer[])[] = [
  // Blurs within blurs: a buffer for each group.
  () => {
    let layers: Layer[] = [box('rect', { id: 'r', fill: '#c04040' })];
    for (let depth = 0; depth < groupsDeep; depth += 1) {
      layers = [box('group', { id: `g${depth}`, layers, blur: 100 })];
    }
    return layers;
  },
  // A wide stroke around many letters.
  (index) => [
    box('text', {
      id: 't',
      text: `${index} `.repeat(strokedCharacters).slice(0, strokedCharacters),
      fontSize: 12,
      stroke: { color: '#204060', width: 400 },
    }),
  ],
  // Small boxes with effects that reach far.
  () =>
    ['a', 'b'].map((id) =>
      box('rect', {
        id,
        width: 40,
        height: 29,
        blur: 200,
        shadow: { x: 1, blur: 190, color: '#165bf9' },
      }),
    ),
  (index) => [
    svg(`<path d="M0 0L1e6 1e6L0 1e6L1e6 ${index}" stroke="red" stroke-dasharray="0.01"/>`),
  ],
  (index) => [
    svg(
      `<filter id="f"><feTurbulence numOctaves="99" baseFrequency=".9" seed="${index}"/></filter><rect filter="url(#f)" width="1200" height="630"/>`,
    ),
  ],
  // Expensive and allowed: a large blur over the whole canvas.
  (index) => [
    box('rect', { id: 'r', fill: '#40a0c0', blur: 30 }),
    box('text', { id: 't', text: `Number ${index}`, fontSize: 96 }),
  ],
];

/** The body of a preview at scale 3, by number. All documents move in every second turn. */
export function hostilePreview(index: number): string {
  const layers = documents[index % documents.length]?.(index) ?? [];
  const template = { format: 1, name: `Soak ${index}`, width, height, variables: [], layers };
  if (Math.floor(index / documents.length) % 2 === 0) {
    return JSON.stringify({ template, values: {}, scale: 3 });
  }
  const tracks = layers.map(({ id }) => ({ layer: id, property: 'x', to: 30 }));
  const animation = { type: 'motion', seconds: 0.2, tracks };
  const moving = { ...template, animation };
  return JSON.stringify({ template: moving, values: {}, scale: 3, format: 'webp', animated: true });
}

function box(type: string, rest: Record<string, unknown> & { id: string }): Layer {
  return { type, x: 0, y: 0, width, height, ...rest };
}

function svg(content: string): Layer {
  const markup = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;
  return box('svg', { id: 's', svg: markup });
}
