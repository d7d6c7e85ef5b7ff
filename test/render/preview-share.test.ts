import t from 'tap';
import { previewTemplate } from '../../src/render/preview-cache.ts';
import { workOf } from '../../src/render/render-admission.ts';
import { candidateTemplate } from '../../src/templates/candidate-template.ts';
import { sampleDocument } from '../templates/store-fixture.ts';

t.test('all previews of an organization wait in one line, beside those of its templates', (t) => {
  const options = { format: 'png', quality: 100, scale: 1 } as const;
  const shareOf = (templateKey: string) => workOf({ templateKey, ...options }, 10);
  const preview = (organizationUid: string, name: string) => {
    const document = sampleDocument({ name });
    return previewTemplate(organizationUid, document, JSON.stringify(document), []).templateKey;
  };
  const document = sampleDocument({ name: 'a' });
  const documentJson = JSON.stringify(document);
  const known = { uid: 'a', organizationUid: 'org_a', document, documentJson, fonts: [] };
  const link = candidateTemplate(known).templateKey;
  t.not(preview('org_a', 'a'), preview('org_a', 'b'), 'each document has a plan of its own');
  t.same(shareOf(preview('org_a', 'a')), shareOf(preview('org_a', 'b')));
  t.equal(shareOf(preview('org_a', 'a')).organization, shareOf(link).organization);
  t.not(shareOf(preview('org_a', 'a')).template, shareOf(link).template);
  t.not(shareOf(preview('org_a', 'a')).template, shareOf(preview('org_b', 'a')).template);
  t.end();
});
