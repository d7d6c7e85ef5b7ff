/** The page that lists how each feature of SVG is drawn. */
import { packagePath } from '#paths.ts';
import type { FeatureResult } from './compare.ts';

export const supportPath = packagePath('docs/svg-support.md');

const head = (count: number, chromium: string): string =>
  `# SVG features

How the renderer (librsvg of sharp) draws ${count} features of SVG, beside Chromium ${chromium}. \`npm run svg:record\` writes this
page. Each feature is drawn at 96 × 64 by both. "As Chromium" means that at most 2 % of the pixels differ visibly, and 5 %
of a text, whose edges are smoothed in other ways. A feature with "warning" adds \`SVG_UNSUPPORTED\` with its name where an
SVG layer has it.
`;

/** The page of these results. */
export function supportPage(results: readonly FeatureResult[], chromium: string): string {
  const groups = Object.entries(Object.groupBy(results, ({ feature: [group] }) => group));
  const parts = groups.map(([group, of = []]) => {
    const rows = of.map(
      ({ feature: [, name], isEqual, different, warnings }) =>
        `| ${name.replaceAll('|', String.raw`\|`)} | ${isEqual ? 'as Chromium' : `otherwise (${(different * 100).toFixed(1)} %)`} | ${warnings.length > 0 ? 'warning' : ''} |`,
    );
    return `\n## ${group.charAt(0).toUpperCase()}${group.slice(1)}\n\n| Feature | Drawn | |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return head(results.length, chromium) + parts.join('');
}
