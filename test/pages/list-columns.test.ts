import t from 'tap';
import { columnImports, columnRecipe, columnSnippet } from '../../src/pages/list-columns.ts';
import { mailTools } from '../../src/pages/mail-tools.ts';

t.test('every email service says how it takes the columns of a list', (t) => {
  t.same(Object.keys(columnImports).toSorted(), mailTools.map(({ id }) => id).toSorted());
  for (const tool of mailTools) {
    const { field, urlTag, altTag } = columnRecipe(tool);
    t.match(field, /^an? /, tool.name);
    t.match(urlTag.toLowerCase(), /platen[_ ]?url/, tool.name);
    t.match(altTag.toLowerCase(), /platen[_ ]?alt/, tool.name);
    // A filter would encode the link once more, and a link of values in it would no longer be one.
    if (tool.encoder !== undefined) t.notMatch(urlTag, tool.encoder, tool.name);
  }
  t.end();
});

t.test('the HTML of a column shows the tag as it is, at the size of the email', (t) => {
  for (const tool of mailTools) {
    const { urlTag, altTag } = columnRecipe(tool);
    const html = columnSnippet({ width: 1200, height: 500 }, tool, {});
    t.match(html, urlTag, tool.name);
    t.match(html, altTag, tool.name);
    t.match(html, 'width="600" height="250"');
    t.notMatch(html, '_scale', 'the link has its scale already');
  }
  t.end();
});
