/** PNG files in bands of pictures that are encoded once: where that is smaller than what libvips makes, and not much slower. */
import type { PngRows } from './colors.ts';
import { joinPng } from './file.ts';
import { bandCount, encodePicture, isPhotographBand } from './pixels.ts';

/** Bands that are looked at to tell what a picture is. */
const samplesMax = 4;

/** The file of a picture in its own form. Decodes to exactly the same pixels. The caller owns the bytes. */
export function encodeRowsOnce(rows: PngRows): Uint8Array<ArrayBuffer> {
  return joinPng(rows, encodePicture(rows, rows.colorType, 'quick').bands);
}

/** Whether half of the picture or more is photographic, as some of its bands tell. */
export function isMostlyPhotograph(rows: PngRows): boolean {
  const count = bandCount(rows);
  const samples = Math.min(samplesMax, count);
  let photographs = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    const index = Math.floor(((sample + 0.5) * count) / samples);
    if (isPhotographBand(rows, index)) photographs += 1;
  }
  return photographs * 2 >= samples;
}
