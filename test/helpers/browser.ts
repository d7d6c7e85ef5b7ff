/** A headless Chromium for tests of pages; where there is none, such tests are skipped and say so. */
import { existsSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import root from 'tap';
import type { Test } from 'tap';

/** Where Debian's packages put it. The first has no windows, and takes 0.83 times the CPU time in the tests of the studio. */
const executablePaths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = executablePaths.find((path) => existsSync(path)) ?? '';

/** A host as readers know one. */
export const publicHost = 'images.example.com';

/** False with the reason, as tap takes it, where tests of pages can run. */
export const skipsPages: false | string =
  executablePath === ''
    ? `there is no ${executablePaths.join(' or ')}: install the package chromium-headless-shell`
    : false;

/** Milliseconds that a step of a page may take: beside other tests on two slow cores, some took 20 s. */
const stepMsMax = 90_000;

let shared: Promise<Browser> | undefined;

/**
 * The browser of this process, started for its first test; its pages are closed with the test. It finds `publicHost` on
 * this machine.
 */
export async function startBrowser(t: Test): Promise<Browser> {
  shared ??= launchBrowser();
  const browser = await shared;
  t.teardown(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

async function launchBrowser(): Promise<Browser> {
  // Without windows, images that load lazily wait for a scroll.
  const args = [
    '--no-sandbox',
    '--disable-lazy-loading',
    `--host-resolver-rules=MAP ${publicHost} 127.0.0.1`,
  ];
  // Without the fonts of the service, which a process of tests offers to the programs that it starts.
  const { FONTCONFIG_FILE: _, ...env } = process.env;
  const browser = await chromium.launch({ executablePath, args, env });
  browser.on('context', (context) => context.setDefaultTimeout(stepMsMax));
  root.teardown(() => browser.close());
  return browser;
}

/**
 * What a page did that it must not: errors, refused loads, and requests to other hosts than `base`. A busy service answers
 * 503, and the page asks again.
 */
export function watchPage(page: Page, base: string): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() !== 'error' || text.includes('status of 503')) return;
    complaints.push(`${text} ${message.location().url}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !/^(blob|data):/.test(url)) complaints.push(`asked ${url}`);
  });
  return complaints;
}

/** What axe finds wrong with a page for people with disabilities, its colours in both schemes: rule and element. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Evaluated by the browser's own hand: a script element is refused by the pages' policy.
  if (!(await page.evaluate("'axe' in globalThis")))
    await page.evaluate(readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8'));
  // Not yet on by itself: who speaks to a page says what stands on its buttons.
  const found = await runAxe(page, { rules: { 'label-content-name-mismatch': { enabled: true } } });
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await runAxe(page, { runOnly: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: null });
  return [...found, ...dark.map((problem) => `dark: ${problem}`)];
}

function runAxe(page: Page, options: object): Promise<string[]> {
  return page.evaluate(async (given) => {
    interface Axe {
      run(
        options: object,
      ): Promise<{ violations: Array<{ id: string; nodes: Array<{ html: string }> }> }>;
    }
    const { axe } = globalThis as unknown as { axe: Axe };
    const least = { resultTypes: ['violations'], selectors: false };
    const { violations } = await axe.run({ ...least, ...given });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, options);
}
