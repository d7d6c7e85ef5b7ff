import t from 'tap';
import { previewTemplate } from '../../src/publish/preview.ts';
import { shareOf } from '../../src/scheduling/costs.ts';
import { candidateTemplate } from '../../src/store/published-cache.ts';
import { sampleDocument } from '../templates/store-fixture.ts';

t.test('all previews of an organization wait in one line, beside those of its templates', (t) => {
  const shareNamed = (templateKey: string) => shareOf({ templateKey });
  const preview = (organizationUid: string, name: string) => {
    const document = sampleDocument({ name });
    return previewTemplate(organizationUid, document, JSON.stringify(document), []).templateKey;
  };
  const document = sampleDocument({ name: 'a' });
  const documentJson = JSON.stringify(document);
  const known = { uid: 'a', organizationUid: 'org_a', document, documentJson, fonts: [] };
  const link = candidateTemplate(known).templateKey;
  t.not(preview('org_a', 'a'), preview('org_a', 'b'), 'each document has a base render of its own');
  t.same(shareNamed(preview('org_a', 'a')), shareNamed(preview('org_a', 'b')));
  t.equal(shareNamed(preview('org_a', 'a')).organization, shareNamed(link).organization);
  t.not(shareNamed(preview('org_a', 'a')).template, shareNamed(link).template);
  t.not(shareNamed(preview('org_a', 'a')).template, shareNamed(preview('org_b', 'a')).template);
  t.end();
});
