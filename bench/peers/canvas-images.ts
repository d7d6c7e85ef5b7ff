/** Draws the banner and the product card through the canvas API that skia-canvas and @napi-rs/canvas share. */
import { markColor, markPath, offer } from './banner.ts';

/** The methods of a 2D context that are used here. */
export interface Context {
  fillStyle: unknown;
  strokeStyle: unknown;
  lineWidth: number;
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
  closePath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  roundRect(x: number, y: number, width: number, height: number, radius: number): void;
  clip(): void;
  fill(path?: unknown): void;
  stroke(): void;
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
  text(context, 'Welcome aboard,', 72, 282, '300 76px Fraunces', '#ffffff', '-1.2px');
  text(context, name, 72, 367.1, '700 76px Fraunces', '#ffffff', '-1.2px');
  text(context, offer, 74, 432.4, '400 28px Inter', '#e9eef5');

  context.save();
  shadow(context, '#00000059', 10, 28);
  box(context, 72, 496, 236, 64, 32, '#ffb45c');
  context.restore();
  context.textAlign = 'center';
  text(context, 'Pick your dates', 190, 536, '600 22px Inter', '#3a1d00');
  context.textAlign = 'start';
}

/** 800 × 1000. */
export function drawCard(context: Context, title: string, product: CanvasImage): void {
  context.fillStyle = '#efe9df';
  context.fillRect(0, 0, 800, 1000);
  for (const [color, offsetY, blur] of [
    ['#4a372319', 24, 60],
    ['#4a372314', 4, 12],
  ] as const) {
    context.save();
    shadow(context, color, offsetY, blur);
    box(context, 40, 40, 720, 920, 36, '#ffffff');
    context.restore();
  }
  context.save();
  context.beginPath();
  context.roundRect(64, 64, 672, 620, 20);
  context.clip();
  cover(context, product, 64, 64, 672, 620);
  context.restore();

  context.font = '700 18px Inter';
  context.letterSpacing = '2px';
  box(context, 88, 98, context.measureText('NEW IN').width + 32, 36, 18, '#b4552d');
  text(context, 'NEW IN', 104, 122.5, '700 18px Inter', '#ffffff', '2px');
  text(context, title, 88, 790, '600 52px Fraunces', '#2d2018', '-0.6px');
  context.strokeStyle = '#e4dacb';
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(88, 846);
  context.lineTo(712, 846);
  context.stroke();
  text(context, '€ 28', 88, 913, '700 44px Inter', '#b4552d');
  for (let index = 0; index < 5; index += 1) {
    star(context, 535 + index * 40, 897, index < 4 ? '#f0a030' : '#eadfce');
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

function star(context: Context, centerX: number, centerY: number, color: string): void {
  context.fillStyle = color;
  context.beginPath();
  for (let point = 0; point < 10; point += 1) {
    const radius = point % 2 === 0 ? 15 : 15 * 0.42;
    const angle = (point * Math.PI) / 5 - Math.PI / 2;
    const [x, y] = [centerX + radius * Math.cos(angle), centerY + radius * Math.sin(angle)];
    if (point === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.closePath();
  context.fill();
}
