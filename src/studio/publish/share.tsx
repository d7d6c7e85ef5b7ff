/** The link of a published template, with values, QR code, snippets for emails, and a signature if it needs one. */
import { defaultWords } from '../panels/variables/variables.ts';
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { emailServices } from '../../pages/email-services.ts';
import type { EmailService } from '../../pages/merge-tag.ts';
import type { SnippetValue } from '../../pages/snippets.ts';
import type { Template } from '#language/schema/template.ts';
import type { Editor } from '../state/editor.ts';
import { CopyText, Signing } from './signing.tsx';
import { AccessHints, EmailFields, initialOptions, toChoice } from './email-options.tsx';
import {
  darkNote,
  linkSizes,
  linkToSign,
  makeSnippets,
  recipeFor,
  signedSnippets,
  snippetTemplate,
  snippetValues,
  typedLink,
} from './share-links.ts';
import type { Snippets } from './share-links.ts';
import { keepSampleValues, ShareImages } from './share-images.tsx';

export interface ShareProps {
  editor: Editor;
  /** The published document, which links render. */
  published: Template;
}

/** The values in the link. They start with the sample values; a change also changes the sample values. */
function useTypedValues(
  editor: Editor,
  published: Template,
): [SnippetValue[], (values: SnippetValue[]) => void] {
  const [values, setValues] = useState(() => snippetValues(published, editor.values.value));
  const type = (next: SnippetValue[]): void => {
    setValues(next);
    keepSampleValues(editor, next);
  };
  return [values, type];
}

/** Shows the link, its values and options, the snippets, and the image. */
export function Share({ editor, published }: ShareProps): VNode {
  const { service, uid } = editor;
  const { base } = service;
  const [options, setOptions] = useState(initialOptions);
  const version = editor.publishedVersion.value ?? 1;
  const pinned = options.isPinned ? version : undefined;
  const template = { ...snippetTemplate(uid, published, options.size), version: pinned };
  const choice = toChoice(options);
  const [values, setValues] = useTypedValues(editor, published);
  const [serviceId, setServiceId] = useState('');
  const [signed, setSigned] = useState<string | undefined>(undefined);
  const isSigned = published.linkAuth === 'signed';
  const services = servicesFor(isSigned);
  const emailService = services.find(({ id }) => id === serviceId);
  const link = isSigned ? signed : typedLink(base, template, values);
  const snippets =
    link === undefined
      ? undefined
      : isSigned
        ? signedSnippets(template, link, values, published, choice)
        : makeSnippets(base, template, values, emailService, published, choice);
  const recipe = isSigned && recipeFor(base, template, values, emailService, published, choice);
  return (
    <div class="share">
      <div class="share-main">
        <AccessHints base={base} linkAuth={published.linkAuth} />
        {values.length > 0 && (
          <ValueTable
            published={published}
            values={values}
            set={setValues}
            hasEmailService={emailService !== undefined}
          />
        )}
        {snippets === undefined ? (
          <p class="hint">The link needs a signature: make or paste a signing key below.</p>
        ) : (
          <CopyText name="Link" text={snippets.link} />
        )}
        {isSigned && (
          <Signing
            service={service}
            uid={uid}
            link={linkToSign(base, template, values, options.widthPx)}
            onSigned={setSigned}
          />
        )}
        <EmailFields
          options={options}
          set={setOptions}
          version={version}
          sizes={linkSizes(published)}
          names={values.map(({ name }) => name)}
          isSigned={isSigned}
          darkNote={darkNote(choice, snippets, emailService)}
        />
        <SnippetList
          snippets={snippets}
          recipe={recipe}
          services={services}
          published={published}
          serviceId={serviceId}
          setServiceId={setServiceId}
          hasContact={values.some(({ isPersonal }) => isPersonal)}
        />
      </div>
      <ShareImages editor={editor} values={values} size={options.size} link={link} />
    </div>
  );
}

/** Returns the email services for the link. A merge tag breaks a signature unless the email service signs itself. */
function servicesFor(isSigned: boolean): readonly EmailService[] {
  return isSigned ? emailServices.filter(({ signer }) => signer !== undefined) : emailServices;
}

interface ValueTableProps {
  published: Template;
  values: readonly SnippetValue[];
  set: (values: SnippetValue[]) => void;
  hasEmailService: boolean;
}

function ValueTable({ published, values, set, hasEmailService }: ValueTableProps): VNode {
  const defaults = new Map(
    published.variables.map((variable) => [variable.name, defaultWords(variable)]),
  );
  const change = (name: string, facts: Partial<SnippetValue>): void =>
    set(values.map((each) => (each.name === name ? { ...each, ...facts } : each)));
  return (
    <fieldset class="share-values">
      <legend>Values in the link</legend>
      {values.map(({ name, value, isPersonal }) => (
        <div class="share-value" key={name}>
          <label>
            <span>{name}</span>
            <input
              value={value}
              dir="auto"
              placeholder={defaults.get(name)}
              title={value === '' ? defaults.get(name) : value}
              disabled={hasEmailService && isPersonal}
              onInput={(event) => change(name, { value: event.currentTarget.value })}
            />
          </label>
          <label class="check" title="The email service fills it in for each contact">
            <input
              type="checkbox"
              checked={isPersonal}
              onChange={() => change(name, { isPersonal: !isPersonal })}
            />
            <span>from contact</span>
          </label>
        </div>
      ))}
    </fieldset>
  );
}

interface SnippetListProps {
  snippets: Snippets | undefined;
  /** The HTML for an email service that signs links itself. */
  recipe: string | false | undefined;
  services: readonly EmailService[];
  published: Template;
  serviceId: string;
  setServiceId: (id: string) => void;
  hasContact: boolean;
}

function SnippetList({
  snippets,
  recipe,
  services,
  published,
  serviceId,
  setServiceId,
  hasContact,
}: SnippetListProps): VNode {
  const emailService = services.find(({ id }) => id === serviceId);
  const isSigned = published.linkAuth === 'signed';
  return (
    <section class="share-snippets">
      {isSigned && (
        <p class="soft">
          Tags of most email services would break the signature: a program makes a signed link for
          each contact, and the email service gets it as a field. Braze signs by itself.
        </p>
      )}
      <label class="field">
        For an email service
        <select value={serviceId} onChange={(event) => setServiceId(event.currentTarget.value)}>
          <option value="">None: the values as typed</option>
          {services.map(({ id, name }) => (
            <option value={id}>{name}</option>
          ))}
        </select>
      </label>
      {emailService !== undefined && (
        <p class="soft">
          {hasContact
            ? ''
            : 'Tick “from contact” at a value that the email service shall fill in. '}
          {emailService.note}
        </p>
      )}
      {typeof recipe === 'string' && <CopyText name="HTML that signs" text={recipe} />}
      {snippets !== undefined && (
        <>
          <CopyText name="HTML" text={snippets.html} />
          <CopyText name="Markdown" text={snippets.markdown} />
          <CopyText name="curl" text={curlFor(snippets.curl, published)} />
        </>
      )}
    </section>
  );
}

function curlFor(curl: string, { linkAuth }: Template): string {
  return linkAuth === 'key' ? `${curl} \\\n  -H "X-API-Key: $PLATEN_API_KEY"` : curl;
}
