/** Parts that drawings of features share. */

/** A feature: its group, its name in the table, the content of a drawing of 96 × 64, and attributes of its root. */
export type SvgFeature = [group: string, name: string, content: string, root?: string];

export const box = (attributes: string): string =>
  `<rect x="16" y="12" width="64" height="40" ${attributes}/>`;
export const red = 'fill="#d7263d"';
export const line = 'fill="none" stroke="#12355b" stroke-width="8"';
