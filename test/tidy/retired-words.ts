/** The words that texts of the repository do not use, each with a better one, and the files that are checked. */

/** Files that are checked, by path: Markdown, and the comments of code. Add a folder when its comments are clean. */
export const checkedTexts: readonly RegExp[] = [
  /^src\/(?:api|cli|client|config|foundation|http|language|lists|pages|process|publish|scheduling|store|studio|telemetry|wire)\/.*\.tsx?$/,
  /^workers\/(?:(?:assets|encode|incremental|layout)\/.*|[\w-]+)\.ts$/,
  /^bench\/.*\.ts$/,
  /^docs\/[\w-]+\.md$/,
  /^(?:README|SECURITY|CONTRIBUTING|CHANGELOG)\.md$/,
];

/** Files that the patterns above match and that are not checked, each with its reason. */
export const uncheckedTexts: Readonly<Record<string, string>> = {
  'docs/benchmarks.md': 'written by `npm run bench` from texts in bench/, which follow',
};

/** Each pattern is matched against prose alone: code, addresses and tags are removed first. */
export const retiredWords: ReadonlyArray<readonly [pattern: RegExp, better: string]> = [
  [/\bimages?\b/i, 'image'],
  [/\bsee-through\b/i, 'transparent'],
  // Proper names such as Apple Mail have a capital.
  [/\b(?:e-mails?|mails?|mailed|mailings?)\b/, 'email, email service, campaign'],
  [/\btold\b/i, 'reported, described, answered'],
  [/\brooms?\b/i, 'capacity, space, memory'],
  [/(?<!\b(?:in|in its|in their|in your|take|takes) )\bplaces?\b/i, 'slot, position'],
  [/\bwish(?:es|ed)?\b/i, 'option, request'],
  [/\bdear\b/i, 'expensive'],
  [/\b(?:lend|lends|lent)\b/i, 'register, pass'],
  [/(?<!\b(?:its|their|your|our) )\bown\b/i, "the organization's, bundled, this"],
  [/\baskers?\b/i, 'requester, client'],
  [/\bwho(?:ever)? asks?\b|\bwhoever\b/i, 'the client, the user, a person who'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, correct'],
  [/\bswitch(?:es)?\b/i, 'boolean'],
  [/\bplans?\b/i, 'base render'],
  [/\banew\b/i, 'again'],
];
