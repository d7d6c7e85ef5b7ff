/** The words that texts and code of the repository do not use, each with a better one. */

/** Texts that are checked: code, style sheets, pages, programs, configuration and documents. */
export const checkedTexts = /\.(?:tsx?|mjs|js|css|html|sh|ya?ml|conf|service|md)$/;

/** Files that hold retired words on purpose, each with its reason. */
export const uncheckedTexts: Readonly<Record<string, string>> = {
  'test/tidy/retired-words.ts': 'the list of these words',
  'test/tidy/retired-words.test.ts': 'tests of the list',
  'src/language/check/name-suggestions.ts': 'names that designers write',
  'src/mailings/lists/column-names.ts': 'names of columns in lists',
  'src/mailings/campaigns/dirt/no-person.ts': 'words in place of names in lists',
  'test/images/svg-features/shapes.ts': 'the element <switch>',
  'docs/benchmarks.md': 'written by `npm run bench`, with the texts of its last run',
};

/** What is left out before words are looked for, because others chose it: names of the wire, of languages and of products. */
export const foreignWords: readonly RegExp[] = [
  // A string of one word is data: a key, a value of the wire, a name of a file.
  /'(?:\\.|[^'\\\s])*'|"(?:\\.|[^"\\\s])*"|`[^`\s]*`/g,
  /\bswitch \(|\bhasOwn(?:Property)?\b|\bgetOwnProperty\w*|\bplace-(?:items|content|self)\b/g,
  /\bPLATEN_\w+|\bplaten_\w+|\bPlaten[A-Z]\w+/g,
  // Folders of images of templates, as `platen templates` writes them, and the HTML element.
  /[\w.${}]*\/pictures\b[\w./-]*|\bpictures\/[\w./-]+|<\\?\/?picture>/g,
  /\bt\.plan\(|\bownCloud\b|\bapple-mail-\w+|\bown-font\b|\be-\?mail\b|\bplaceholder/g,
  // What people write to readers in examples, and the stages of `Server-Timing`.
  /\bDear (?:reader|[*%[{])|\b[Hh]ello dear\b|'dear '|\|plan\||\bplan(?=:)|\(plan\)/g,
  /https?:\/\/[^\s)>'"`]+/g,
];

/**
 * Each pattern is matched against a line of prose, or of code whose identifiers are parted into words: `ownUrl` is
 * `own url`.
 */
export const retiredWords: ReadonlyArray<readonly [pattern: RegExp, better: string]> = [
  [/\bpictures?\b/i, 'image'],
  [/\bsee-through\b/i, 'transparent'],
  // Proper names such as Apple Mail have a capital. Mailings are a wing of the code.
  [/\b(?:e-mails?|mails?|mailed|mailing)\b/, 'email, email service, campaign'],
  [/\btold\b/i, 'reported, described, answered'],
  [/\brooms?\b/i, 'capacity, space, memory'],
  // To place is what layout does.
  [
    /(?<!\b(?:in|in its|in the|in their|in your|take|takes|to|its|can) )\bplaces?\b/i,
    'slot, position',
  ],
  [/\bwish(?:es|ed)?\b/i, 'option, request'],
  [/\bdear\b/i, 'expensive'],
  [/\b(?:lend|lends|lent)\b/i, 'register, pass'],
  [
    /(?<!\b(?:its|their|your|our|his|of) |[a-z][’']s |s[’'] |^\s*\* )\bown\b/i,
    "the organization's, bundled, this",
  ],
  [/\baskers?\b/i, 'requester, client'],
  [/\bwho(?:ever)? asks?\b|\bwhoever\b/i, 'the client, the user, a person who'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, correct'],
  [/\bswitch(?:es|ed)?\b/i, 'boolean'],
  [/\bplans?\b/i, 'base render'],
  [/\banew\b/i, 'again'],
  [/\bworkshops?\b/i, 'parts, services'],
];
