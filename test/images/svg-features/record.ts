/**
 * Draws every feature in Chromium and in the renderer: `npm run svg:record`. Writes a sheet of Chromium's drawings, for
 * tests without a browser, and the table of `docs/svg-support.md`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { prepareFontEnvironment } from '../../../src/scheduling/font-environment.ts';
import { columns, compareFeatures, sheetPath } from './compare.ts';
import { featureFile, featureSize, svgFeatures } from './features.ts';
import { supportPage, supportPath } from './support-page.ts';

const executablePath = process.argv[2] ?? '/usr/bin/chromium-headless-shell';
const work = mkdtempSync(join(tmpdir(), 'platen-svg-'));
const fontConfigFile = await prepareFontEnvironment(work);
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--font-render-hinting=none'],
  env: { ...process.env, FONTCONFIG_FILE: fontConfigFile },
});
const { width, height } = featureSize;
const page = await browser.newPage({
  viewport: {
    width: columns * width,
    height: Math.ceil(svgFeatures.length / columns) * height,
  },
});
const images = svgFeatures.map(
  (feature) => `<img src="data:image/svg+xml;base64,${featureFile(feature).toString('base64')}">`,
);
await page.setContent(
  `<style>body{margin:0;display:grid;grid-template-columns:repeat(${columns},${width}px)}img{display:block}</style>${images.join('')}`,
);
const sheet = await page.screenshot();
writeFileSync(sheetPath, await sharp(sheet).removeAlpha().png({ compressionLevel: 9 }).toBuffer());
const results = await compareFeatures(fontConfigFile);
writeFileSync(supportPath, supportPage(results, browser.version()));
execFileSync('oxfmt', [supportPath]);
await browser.close();
rmSync(work, { recursive: true });
