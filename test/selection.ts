/** Which runs have which test files. `npm test` has all that stand in neither list; CONTRIBUTING.md says what each is for. */
import { globSync } from 'node:fs';

/** Slow programs, run alone by `npm run test:slow -- <name>` with all their cases. */
export const slowPrograms: Readonly<Record<string, readonly string[]>> = {
  kills: [
    'test/fault/kills.test.ts',
    'test/fault/service-kills.test.ts',
    'test/mailings/campaigns/kills.test.ts',
  ],
  machines: [
    'test/deploy/fleet-proxies.test.ts',
    'test/e2e/fleet.test.ts',
    'test/e2e/restart.test.ts',
  ],
  databases: [
    'test/shared-database/campaigns.test.ts',
    'test/shared-database/connections.test.ts',
    'test/shared-database/failover.test.ts',
    'test/shared-database/migrate.test.ts',
    'test/shared-database/replica.test.ts',
    'test/shared-database/suites.test.ts',
    'test/shared-database/two-nodes.test.ts',
    'test/shared-database/upgrade.test.ts',
    'test/shared-database/versions.test.ts',
  ],
  oracles: [
    'test/workers/layout/stack-flexbox.test.ts',
    'test/workers/text/lines-in-chromium.test.ts',
    'test/workers/text/records-of-chromium.test.ts',
  ],
  laws: [
    'test/law/hostile.test.ts',
    'test/property/table-look-ups.test.ts',
    'test/workers/assets/decode-cost.test.ts',
    'test/workers/chroma-sizes.test.ts',
    'test/workers/encode/sample-sizes.test.ts',
  ],
  pages: [
    'test/studio/animation.test.ts',
    'test/studio/brand.test.ts',
    'test/studio/canvas-images.test.ts',
    'test/studio/chip-caret.test.ts',
    'test/studio/crowded.test.ts',
    'test/studio/embed.test.ts',
    'test/studio/inspector-keys.test.ts',
    'test/studio/late-frames.test.ts',
    'test/studio/narrow.test.ts',
    'test/studio/panel-forms.test.ts',
    'test/studio/paste-and-drop.test.ts',
    'test/studio/sample-strip.test.ts',
    'test/studio/served-versions.test.ts',
    'test/studio/stacks.test.ts',
    'test/studio/text-bar.test.ts',
    'test/studio/text-selection.test.ts',
    'test/studio/typing-variables.test.ts',
    'test/studio/unfinished.test.ts',
    'test/studio/variables.test.ts',
  ],
  releases: [
    'test/release/font-collection.test.ts',
    'test/release/release.test.ts',
    'test/release/typing.test.ts',
  ],
};

/** The test files of slow programs. Throws an error that lists all of them for no name and for an unknown one. */
export function filesOfSlow(names: readonly string[]): string[] {
  const unknown = names.find((name) => !Object.hasOwn(slowPrograms, name));
  if (names.length > 0 && unknown === undefined) {
    return names.flatMap((name) => slowPrograms[name] ?? []);
  }
  const found =
    unknown === undefined ? 'No slow program is named' : `There is no slow program ${unknown}`;
  const list = Object.keys(slowPrograms).join(', ');
  throw new Error(`${found}; expected one or more of: ${list}.`);
}

/**
 * Test files by the names of files and folders. Throws an error for a name without test files, because a run of nothing
 * would pass.
 */
export function filesOfNamed(root: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const pattern = name.endsWith('.ts') ? name : `${name}/**/*.test.ts`;
    const found = globSync(pattern, { cwd: root }).toSorted();
    if (found.length > 0) return found;
    throw new Error(`${name} has no test file; expected a test file, or a folder that has some.`);
  });
}

/**
 * Files that CI has beside those of `npm test`: starts, stops and faults of the whole service, commands of documents, more
 * ways through the studio.
 */
export const ciOnly: readonly string[] = [
  'test/build.test.ts',
  'test/cli/campaign.test.ts',
  'test/cli/care.test.ts',
  'test/cli/program.test.ts',
  'test/cli/render.test.ts',
  'test/cli/running-service.test.ts',
  'test/cli/templates.test.ts',
  'test/e2e/audience.test.ts',
  'test/e2e/campaign-page.test.ts',
  'test/e2e/described-answers.test.ts',
  'test/e2e/documentation.test.ts',
  'test/e2e/start.test.ts',
  'test/e2e/stop.test.ts',
  'test/e2e/tables-and-webhooks.test.ts',
  'test/e2e/two-processes.test.ts',
  'test/e2e/uploaded-files.test.ts',
  'test/fault/database.test.ts',
  'test/fault/lost-renders.test.ts',
  'test/fault/lost-service.test.ts',
  'test/fault/overload.test.ts',
  'test/fault/read-only.test.ts',
  'test/fault/render-hosts.test.ts',
  'test/fault/render-processes.test.ts',
  'test/fault/tables.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/images/fetch-fairness.test.ts',
  'test/images/svg-layers.test.ts',
  'test/images/svg-pool.test.ts',
  'test/law/law.test.ts',
  'test/mailings/campaigns/life.test.ts',
  'test/mailings/campaigns/lost-thread.test.ts',
  'test/mailings/tables/equal-keys.test.ts',
  'test/release/upgrade.test.ts',
  'test/render/base-render-warmer.test.ts',
  'test/render/publisher.test.ts',
  'test/shared-database/files.test.ts',
  'test/shared-database/start.test.ts',
  'test/shared-database/table-keys.test.ts',
  'test/shared-database/tables.test.ts',
  'test/studio/canvas-view.test.ts',
  'test/studio/gallery-page.test.ts',
  'test/studio/handles.test.ts',
  'test/studio/lists.test.ts',
  'test/studio/palette.test.ts',
  'test/studio/panels.test.ts',
  'test/studio/publishing.test.ts',
  'test/studio/saving.test.ts',
  'test/studio/share.test.ts',
  'test/studio/sizes.test.ts',
  'test/studio/text-editing.test.ts',
  'test/workers/assets/hostile-images.test.ts',
  'test/workers/heap-bytes.test.ts',
];
