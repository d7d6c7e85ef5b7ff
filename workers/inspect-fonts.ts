/**
 * The program of a thread that validates an uploaded font, lists the bundled fonts, or extracts a font of a collection.
 * The thread can be stopped, and runs no native code.
 */
import { parentPort, workerData } from 'node:worker_threads';
import decompress from 'woff2-encoder/decompress';
import type { BundledFamily, FontVerdict, InspectionOrder } from '#wire/font-facts.ts';
import { familyAxes } from './assets/font-axes.ts';
import { readCoverage } from './assets/font-coverage.ts';
import { extractFont } from './assets/font-collection.ts';
import { bundledFiles } from './assets/font-files.ts';
import { fontBytesMax, inspectFont } from './assets/font-inspection.ts';
import { coveredScripts } from './assets/font-inspection.ts';
import { FontProblem } from './assets/font-tables.ts';
import { bundledFamilies } from './assets/fonts.ts';
import { declaredBytes, isWoff2 } from './assets/font-tables.ts';

async function inspect(bytes: Uint8Array): Promise<FontVerdict> {
  try {
    const { facts, file } = inspectFont(isWoff2(bytes) ? await unpack(bytes) : bytes);
    return { ok: true, facts, file };
  } catch (error) {
    if (error instanceof FontProblem) {
      return { ok: false, reason: error.reason, problem: error.message };
    }
    throw error;
  }
}

/** The decompressor allocates the size that the file's header declares. */
async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  if (declaredBytes(bytes) > fontBytesMax) {
    throw new FontProblem(`has over ${fontBytesMax / 1024 / 1024} MiB uncompressed, the limit`);
  }
  try {
    return await decompress(bytes);
  } catch {
    throw new FontProblem('is a damaged WOFF2 file');
  }
}

function listFamilies(): BundledFamily[] {
  return bundledFamilies().map((family) => {
    const files = bundledFiles(family);
    const regular = files.find(({ weight, italic }) => weight === 400 && !italic) ?? files[0];
    return {
      family,
      styles: files
        .map(({ weight, italic }) => ({ weight, italic }))
        .toSorted((a, b) => Number(a.italic) - Number(b.italic) || a.weight - b.weight),
      axes: familyAxes(family),
      scripts: regular === undefined ? [] : coveredScripts(readCoverage(regular)),
      files: [...files],
    };
  });
}

function answer(order: InspectionOrder): unknown {
  if (order.kind === 'families') return listFamilies();
  return order.kind === 'face' ? extractFont(order.file) : inspect(order.bytes);
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has none
parentPort?.postMessage(await answer(workerData as InspectionOrder));
