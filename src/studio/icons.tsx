/** Icons of 16 by 16 pixels, drawn with lines in the color of the surrounding text, and the icon button of the bars. */
import type { VNode } from 'preact';
import type { NewLayerKind } from './panels/layers/new-layers.ts';

/** Path data of the layers' icons. */
const layerPaths: Readonly<Record<NewLayerKind, string>> = {
  text: 'M3 4V3h10v1M8 3v10M6 13h4',
  image: 'M2.5 3.500h11v9h-11zM2.5 11l3.5-3.5 2.5 2.5 2-2 3 3M10.5 6.200a.6.6 0 1 0 .01 0',
  rect: 'M2.5 4h11v8h-11z',
  ellipse: 'M8 3.500c3.3 0 5.5 2 5.5 4.500s-2.2 4.5-5.5 4.500S2.5 10.5 2.5 8 4.7 3.5 8 3.500z',
  line: 'M3 13 13 3',
  polygon: 'M8 2.500l4.8 2.800v5.400L8 13.500l-4.8-2.800V5.300z',
  star: 'M8 2l1.8 3.9 4.2.5-3.1 2.9.8 4.200L8 11.400l-3.7 2.1.8-4.200L2 6.400l4.2-.5z',
  path: 'M2.5 12C5 3 8 14 13.5 4M2.5 12h.01M13.5 4h.01',
  svg: 'M5.5 4.5 2 8l3.5 3.500M10.5 4.5 14 8l-3.5 3.5',
  qr: 'M2.5 2.500h4v4h-4zM9.5 2.500h4v4h-4zM2.5 9.500h4v4h-4zM9.5 9.500h1.500v1.500M13.5 9.500v4h-4',
  barcode: 'M2.5 3v10M5 3v10M6.5 3v10M9.5 3v10M11 3v10M13.5 3v10',
  group: 'M2 5.500V2h3.500M10.5 2H14v3.500M14 10.500V14h-3.500M5.5 14H2v-3.500M5 5h6v6H5z',
  stack: 'M2.5 2.500h11v3h-11zM2.5 7h11v2.500h-11zM2.5 11h11v2.500h-11z',
  rating:
    'M4.5 4.500l1 2.2 2.2.2-1.7 1.6.5 2.3-2-1.2-2 1.2.5-2.300L1.3 6.900l2.2-.2zM9.5 8h5M9.5 5.500h5M9.5 10.500h3',
  progress: 'M2 6.500h12v3H2zM2 8h6.5',
  countdown:
    'M4.5 2.500h7M4.5 13.500h7M5.500 2.500v2.300L8 8l2.5-3.200V2.500M5.500 13.500v-2.300L8 8l2.5 3.200v2.300',
};

/** Path data by name. */
const paths: Readonly<Record<string, string>> = {
  ...layerPaths,
  icons:
    'M2.5 2.5h4v4h-4zM11.5 2.3l2.3 4.2H9.2zM4.5 9.3a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4M11.5 9.5v4M9.5 11.5h4',
  select: 'M4 2.5 12.500 8.300 8.700 9.100 7 12.900z',
  hand: 'M5 8.500V4.300a1 1 0 0 1 2 0V7.500M7 7V3a1 1 0 0 1 2 0v4.500M9 7V3.700a1 1 0 0 1 2 0V8M11 7.500V5.500a1 1 0 0 1 2 0V9.500a4.500 4.500 0 0 1-4.500 4.500c-2 0-3-.8-4-2.300L2.800 9.300a1 1 0 0 1 1.600-1.200L5 8.900',
  eye: 'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM8 6.200a1.8 1.8 0 1 0 .01 0',
  'eye-off':
    'M2.5 13.5 13.5 2.500M6.5 4a6 6 0 0 1 1.5-.2c4 0 6.5 4.2 6.5 4.200a11 11 0 0 1-2 2.300M4.3 5.300A11 11 0 0 0 1.5 8S4 12.2 8 12.200a6 6 0 0 0 2-.4',
  lock: 'M4 7.500h8v6H4zM5.5 7.500V5a2.5 2.5 0 0 1 5 0v2.5',
  'lock-open': 'M4 7.500h8v6H4zM5.5 7.500V4.500a2.5 2.5 0 0 1 4.8-1',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  clock: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M8 5v3.2l2.2 1.4',
  list: 'M2.5 4h2M6.5 4h7M2.5 8h2M6.5 8h7M2.5 12h2M6.5 12h7',
  warning: 'M8 2.5 14.5 13.500h-13zM8 6.500v3.500M8 11.800h.01',
  open: 'M6 4l4 4-4 4',
  folder: 'M2 4h4l1.5 1.500H14V13H2z',
  ungroup: 'M2.5 2.500h6v6h-6zM7.5 7.500h6v6h-6z',
  trash: 'M3 4.500h10M6 4.500v-2h4v2M4.5 4.500l.5 9h6l.5-9',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  upload: 'M8 11V3M4.8 6 8 3l3.2 3M3 11v2.500h10V11',
  dropper:
    'M9 4.500l2.5 2.500M10 5.500l1.8-1.800a1.4 1.4 0 0 1 2 2L12 7.500M9.7 5.2 3.5 11.5 3 13l1.5-.5 6.3-6.2',
  corners:
    'M2.5 6V4.500a2 2 0 0 1 2-2H6M10 2.500h1.500a2 2 0 0 1 2 2V6M13.5 10v1.500a2 2 0 0 1-2 2H10M6 13.500H4.500a2 2 0 0 1-2-2V10',
  variable:
    'M5 3c-1.4 0-1.9.7-1.9 1.8v1.6C3.1 7.4 2.7 8 1.8 8c.9 0 1.3.6 1.3 1.6v1.6C3.1 12.3 3.6 13 5 13M11 3c1.4 0 1.9.7 1.9 1.8v1.6c0 1 .4 1.6 1.3 1.6-.9 0-1.3.6-1.3 1.6v1.6c0 1.1-.5 1.8-1.9 1.8M6.2 6l3.6 4M9.8 6l-3.6 4',
  'align-left': 'M2.5 3.500h11M2.5 6.500h7M2.5 9.500h11M2.5 12.500h7',
  'align-center': 'M2.5 3.500h11M4.5 6.500h7M2.5 9.500h11M4.5 12.500h7',
  'align-right': 'M2.5 3.500h11M6.5 6.500h7M2.5 9.500h11M6.5 12.500h7',
  'align-justify': 'M2.5 3.500h11M2.5 6.500h11M2.5 9.500h11M2.5 12.500h11',
  'align-start': 'M2.5 2.500v11M5 5h8.500M5 8h5M5 11h8.5',
  'align-end': 'M13.5 2.500v11M2.5 5H11M6 8h5M2.5 11H11',
  'verticalAlign-top': 'M2.5 2.500h11M8 13V5.500M5.5 8 8 5.5 10.5 8',
  'verticalAlign-middle': 'M2.5 8h11M8 1.500v4M8 14.500v-4M6.3 4 8 5.7 9.7 4M6.3 12 8 10.3 9.7 12',
  'verticalAlign-bottom': 'M2.5 13.500h11M8 3v7.500M5.5 8 8 10.5 10.5 8',
};

export function hasIcon(name: string): boolean {
  return Object.hasOwn(paths, name);
}

/** An icon that screen readers skip: the control around it needs a label. An unknown name gives an empty icon. */
export function icon(name: string): VNode {
  return (
    <svg
      class="p-icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="1.3"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <path d={paths[name] ?? ''} />
    </svg>
  );
}

interface IconButtonProps {
  /** The accessible name and the tooltip. */
  name: string;
  /** SVG path data of strokes in a square of 16 × 16 units. */
  path: string;
  isOff?: boolean;
  /** Whether this button of a choice is the chosen one; undefined for other buttons. */
  isOn?: boolean;
  run: () => void;
}

export function IconButton({ name, path, isOff = false, isOn, run }: IconButtonProps): VNode {
  return (
    <button
      type="button"
      class="icon"
      aria-label={name}
      title={name}
      aria-pressed={isOn}
      disabled={isOff}
      onClick={run}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path
          d={path}
          fill="none"
          stroke="currentColor"
          stroke-width="1.5"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
    </button>
  );
}

/** A cross, 16 px. */
export function CrossIcon(): VNode {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M4 4l8 8M12 4l-8 8" fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
  );
}
