/** Draws the banners through the canvas API that skia-canvas and @napi-rs/canvas share. */
import { headline, headlineOf } from '../harness/headline-banner.ts';
import type { Banner } from '../harness/values.ts';
import { familiesOf, markColor, markPath, nameSizeOf, offer } from './banner.ts';

/** The methods of a 2D context that are used here. */
export interface Context {
  fillStyle: unknown;
  font: string;
  letterSpacing: string;
  textAlign: string;
  shadowColor: string;
  shadowBlur: number;
  shadowOffsetY: number;
  save(): void;
  restore(): void;
  translate(x: number, y: number): void;
  beginPath(): void;
  roundRect(x: number, y: number, width: number, height: number, radius: number): void;
  fill(path?: unknown): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  fillText(text: string, x: number, y: number): void;
  measureText(text: string): { width: number };
  drawImage(image: unknown, ...numbers: number[]): void;
  createLinearGradient(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
  ): { addColorStop(offset: number, color: string): void };
}

/** Objects of an engine: a decoded image with its size, and a path from SVG data. */
export interface CanvasImage {
  image: unknown;
  width: number;
  height: number;
}
export type MakePath = (data: string) => unknown;

/** 1200 × 630. */
export function drawBanner(
  context: Context,
  template: Banner,
  name: string,
  photo: CanvasImage,
  makePath: MakePath,
): void {
  cover(context, photo, 0, 0, 1200, 630);
  const shade = context.createLinearGradient(0, 0, 1200, 0);
  shade.addColorStop(0, '#0b1320d9');
  shade.addColorStop(0.42, '#0b132099');
  shade.addColorStop(0.75, '#0b132000');
  context.fillStyle = shade;
  context.fillRect(0, 0, 1200, 630);

  context.save();
  context.translate(72, 64);
  context.fillStyle = markColor;
  context.fill(makePath(markPath));
  context.restore();

  text(context, 'Northshore Stays', 122, 91.7, '600 24px Inter', '#ffffff', '0.4px');
  if (template === 'headline-banner') drawHeadline(context, name);
  else drawWelcome(context, name);
  text(context, offer, 74, 432.4, '400 28px Inter', '#e9eef5');

  context.save();
  shadow(context, '#00000059', 10, 28);
  box(context, 72, 496, 236, 64, 32, '#ffb45c');
  context.restore();
  context.textAlign = 'center';
  text(context, 'Pick your dates', 190, 536, '600 22px Inter', '#3a1d00');
  context.textAlign = 'start';
}

function drawWelcome(context: Context, name: string): void {
  text(context, 'Welcome aboard,', 72, 282, '300 76px Fraunces', '#ffffff', '-1.2px');
  const font = `700 ${nameSizeOf(name)}px ${familiesOf('Fraunces')}`;
  text(context, name, 72, 367.1, font, '#ffffff', '-1.2px');
}

/** Breaks lines as applications do with this API: word by word, with the width of the line so far. */
function drawHeadline(context: Context, name: string): void {
  const { x, y, width, fontSize, lineHeight } = headline;
  const font = `700 ${fontSize}px ${familiesOf('Fraunces')}`;
  context.font = font;
  context.letterSpacing = '0px';
  const lines: string[] = [];
  let line = '';
  for (const word of headlineOf(name).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && context.measureText(longer).width > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  lines.push(line);
  // The first baseline in CSS: half of the leading, and the ascent of Fraunces.
  const firstBaseline = y + 0.92 * fontSize;
  for (const [index, each] of lines.entries()) {
    const baseline = firstBaseline + index * fontSize * lineHeight;
    text(context, each, x, baseline, font, '#ffffff');
  }
}

function cover(
  context: Context,
  image: CanvasImage,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const scale = Math.max(width / image.width, height / image.height);
  const [sourceWidth, sourceHeight] = [width / scale, height / scale];
  const left = (image.width - sourceWidth) / 2;
  const top = (image.height - sourceHeight) / 2;
  context.drawImage(image.image, left, top, sourceWidth, sourceHeight, x, y, width, height);
}

function text(
  context: Context,
  content: string,
  x: number,
  baseline: number,
  font: string,
  color: string,
  letterSpacing = '0px',
): void {
  context.font = font;
  context.letterSpacing = letterSpacing;
  context.fillStyle = color;
  context.fillText(content, x, baseline);
}

function box(
  context: Context,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  color: string,
): void {
  context.fillStyle = color;
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
  context.fill();
}

function shadow(context: Context, color: string, offsetY: number, blur: number): void {
  context.shadowColor = color;
  context.shadowOffsetY = offsetY;
  context.shadowBlur = blur;
}
