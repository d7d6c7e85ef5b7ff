/**
 * 60 frames of `countdown-banner` with @napi-rs/canvas and gifenc: `countdown-gif.ts - <width> <warm-up> <rounds>`. What
 * does not change is drawn once for all frames, and they share the colours of the first one.
 */
import { createCanvas, GlobalFonts, loadImage } from '@napi-rs/canvas';
import gifenc from 'gifenc';
import { animationFrames, printAnimationCost } from '../harness/animation-rounds.ts';
import { fontFile, imageFile } from './banner.ts';

const { GIFEncoder, quantize, applyPalette } = gifenc;
const [widthPx = 1200, warmUp = 0, rounds = 1] = process.argv.slice(3).map(Number);
const [heightPx, scale] = [widthPx / 3, widthPx / 1200];
GlobalFonts.registerFromPath(fontFile('inter', 'Inter', 400), 'Inter');
GlobalFonts.registerFromPath(fontFile('inter', 'Inter', 600), 'Inter');
GlobalFonts.registerFromPath(fontFile('inter', 'Inter', 800), 'Inter');
GlobalFonts.registerFromPath(fontFile('playfair-display', 'PlayfairDisplay', 700), 'Playfair');
const photo = await loadImage(imageFile('fabric.jpg'));

/** Left edges of the four cards. */
const cards = [612, 745, 878, 1011];
const labels = ['DAYS', 'HOURS', 'MINUTES', 'SECONDS'];

function createContext(): ReturnType<ReturnType<typeof createCanvas>['getContext']> {
  const context = createCanvas(widthPx, heightPx).getContext('2d');
  context.scale(scale, scale);
  return context;
}

type Context = ReturnType<typeof createContext>;

function write(context: Context, text: string, x: number, baseline: number, font: string): void {
  context.font = font;
  context.fillText(text, x, baseline);
}

/** The photo, the texts and the cards without their numbers. */
function drawGround(number: number): Context {
  const context = createContext();
  const part = Math.max(1200 / photo.width, 400 / photo.height);
  const [width, height] = [photo.width * part, photo.height * part];
  context.drawImage(photo, (1200 - width) / 2, (400 - height) / 2, width, height);
  const shade = context.createLinearGradient(0, 0, 1200, 0);
  shade.addColorStop(0, '#1d0d30b3');
  shade.addColorStop(1, '#1d0d3033');
  context.fillStyle = shade;
  context.fillRect(0, 0, 1200, 400);
  context.fillStyle = '#ffffff';
  write(context, `Sale ${number} ends`, 72, 160, '700 60px Playfair');
  write(context, 'soon', 72, 227, '700 60px Playfair');
  context.fillStyle = '#f3d9e6';
  write(context, 'Up to 40 % off everything warm', 74, 297, '400 24px Inter');
  context.textAlign = 'center';
  for (const [index, x] of cards.entries()) {
    context.save();
    context.shadowColor = '#12041f66';
    context.shadowBlur = 30 * scale;
    context.shadowOffsetY = 12 * scale;
    context.fillStyle = '#ffffffee';
    context.beginPath();
    context.roundRect(x, 112, 121, 176, 20);
    context.fill();
    context.restore();
    context.fillStyle = '#6f5488';
    write(context, labels[index] ?? '', x + 60, 255, '600 16px Inter');
  }
  return context;
}

function drawFrame(context: Context, ground: Context['canvas'], left: number): Uint8Array {
  context.drawImage(ground, 0, 0, 1200, 400);
  context.fillStyle = '#2a1244';
  context.textAlign = 'center';
  const parts = [86_400, 3600, 60, 1].map((unit, index) =>
    String(Math.floor(left / unit) % (index === 0 ? 1000 : index === 1 ? 24 : 60)),
  );
  for (const [index, x] of cards.entries()) {
    const text = parts[index]?.padStart(index === 0 ? 1 : 2, '0') ?? '';
    write(context, text, x + 60, 207, '800 68px Inter');
  }
  const { data } = context.getImageData(0, 0, widthPx, heightPx);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

async function makeGif(number: number): Promise<Uint8Array> {
  const ground = drawGround(number).canvas;
  const context = createContext();
  const gif = GIFEncoder();
  let palette: number[][] | undefined;
  for (let second = 0; second < animationFrames; second += 1) {
    const pixels = drawFrame(context, ground, 200_000 - second);
    const isFirst = palette === undefined;
    palette ??= quantize(pixels, 256) as number[][];
    const indexes = applyPalette(pixels, palette);
    const colors = isFirst ? { palette, repeat: -1 } : {};
    gif.writeFrame(indexes, widthPx, heightPx, { delay: 1000, ...colors });
  }
  gif.finish();
  return gif.bytes();
}

await printAnimationCost(makeGif, { warmUp, rounds, widthPx });
