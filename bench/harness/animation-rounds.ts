/** A side of the measurement of animations: makes one GIF after another in its own process, and prints what they take. */
import sharp from 'sharp';

export const animationFrames = 60;

/** What one side reached. */
export interface AnimationCost {
  /** CPU time of all threads of the process for each GIF, without those of the warm-up. */
  eachCpuMs: number[];
  /** Of the last GIF. */
  bytes: number;
}

/** Makes GIFs of 60 frames, numbered from 0. Throws for one that has not the size and the frames of the order. */
export async function printAnimationCost(
  make: (number: number) => Promise<Uint8Array>,
  { warmUp, rounds, widthPx }: { warmUp: number; rounds: number; widthPx: number },
): Promise<void> {
  const eachCpuMs: number[] = [];
  let file = new Uint8Array(0);
  for (let number = 0; number < warmUp + rounds; number += 1) {
    const before = process.cpuUsage();
    file = new Uint8Array(await make(number));
    const { user, system } = process.cpuUsage(before);
    if (number >= warmUp) eachCpuMs.push((user + system) / 1000);
  }
  const { pages, width, pageHeight } = await sharp(file, { animated: true }).metadata();
  if (pages !== animationFrames || width !== widthPx || pageHeight !== widthPx / 3) {
    throw new Error(`The GIF has ${pages} frames of ${width} × ${pageHeight} pixels.`);
  }
  process.stdout.write(JSON.stringify({ eachCpuMs, bytes: file.length } satisfies AnimationCost));
}
