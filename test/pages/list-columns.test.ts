import t from 'tap';
import {
  columnImports,
  columnRecipe,
  columnSnippet,
} from '../../src/pages/browser/list-columns.ts';
import { emailServices } from '../../src/pages/browser/email-services.ts';

t.test('every email service says how it takes the columns of a list', async (t) => {
  t.same(Object.keys(columnImports).toSorted(), emailServices.map(({ id }) => id).toSorted());
  for (const emailService of emailServices) {
    const { field, urlTag, altTag } = columnRecipe(emailService);
    t.match(field, /^an? /, emailService.name);
    t.match(urlTag.toLowerCase(), /platen[_ ]?url/, emailService.name);
    t.match(altTag.toLowerCase(), /platen[_ ]?alt/, emailService.name);
    // A filter would encode the link once more, and a link of values in it would no longer be one.
    if (emailService.encoder !== undefined)
      t.notMatch(urlTag, emailService.encoder, emailService.name);
  }
});

t.test('the HTML of a column shows the tag as it is, at the size of the email', async (t) => {
  for (const emailService of emailServices) {
    const { urlTag, altTag } = columnRecipe(emailService);
    const html = columnSnippet({ width: 1200, height: 500 }, emailService, {});
    t.match(html, urlTag, emailService.name);
    t.match(html, altTag, emailService.name);
    t.match(html, 'width="600" height="250"');
    t.notMatch(html, '_scale', 'the link has its scale already');
  }
});
