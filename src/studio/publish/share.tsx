/** The link of a published template, with values, QR code, snippets for emails, and a signature if it needs one. */
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { emailServices } from '../../pages/browser/email-snippets.ts';
import type { EmailService, SnippetValue } from '../../pages/browser/email-snippets.ts';
import { defaultFormat, outputFormat } from '#language/formats.ts';
import type { Template } from '#language/schema/template.ts';
import type { Editor } from '../state/editor.ts';
import { CopyText, Signing } from './signing.tsx';
import { AccessHints, EmailFields, initialOptions, toChoice } from './email-options.tsx';
import {
  darkNote,
  linkSizes,
  linkToSign,
  linkVariables,
  makeSnippets,
  recipeFor,
  signedSnippets,
  snippetTemplate,
  snippetValues,
  typedLink,
  withoutDefaults,
} from './share-links.ts';
import type { Snippets } from './share-links.ts';
import { keepSampleValues, ShareImages } from './share-images.tsx';
import { ShareValues, useRefusal } from './share-values.tsx';

export interface ShareProps {
  editor: Editor;
  /** The published document, which links render. */
  published: Template;
}

interface TypedValues {
  typed: SnippetValue[];
  setTyped: (values: SnippetValue[]) => void;
  /** The typed values for the link. */
  values: SnippetValue[];
}

/** The values in the link. They start with the sample values; a change also changes the sample values. */
function useTypedValues(editor: Editor, published: Template): TypedValues {
  const [typed, keepTyped] = useState(() => snippetValues(published, editor.values.value));
  const setTyped = (next: SnippetValue[]): void => {
    keepTyped(next);
    keepSampleValues(editor, next);
  };
  return { typed, setTyped, values: withoutDefaults(typed, published) };
}

/** Says why readers cannot open the link, and that it shows a still image of an animation. */
function LinkHints({ base, published }: { base: string; published: Template }): VNode {
  const { linkAuth, animation, output } = published;
  const { name, animates } = outputFormat(output?.format ?? defaultFormat);
  return (
    <>
      <AccessHints base={base} linkAuth={linkAuth} />
      {animation !== undefined && animates !== 'always' && (
        <p class="hint">
          The link shows the animation as a still image in {name}. For a link that moves, set Format
          to GIF under Output in the editor, and publish.
        </p>
      )}
    </>
  );
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
  const { typed, setTyped, values } = useTypedValues(editor, published);
  const [serviceId, setServiceId] = useState('');
  const [signed, setSigned] = useState<string | undefined>(undefined);
  const isSigned = published.linkAuth === 'signed';
  const services = servicesFor(isSigned);
  const emailService = services.find(({ id }) => id === serviceId);
  const isTagged = emailService !== undefined;
  const link = isSigned ? signed : typedLink(base, template, values);
  const snippets =
    link === undefined
      ? undefined
      : isSigned
        ? signedSnippets(template, link, values, published, choice)
        : makeSnippets(base, template, values, emailService, published, choice);
  const { fields, refusal, refusalId, offBecause } = useRefusal();
  return (
    <div class="share">
      <div class="share-main" ref={fields}>
        <LinkHints base={base} published={published} />
        <LinkText link={snippets?.link} image={link} offBecause={offBecause} />
        {(refusal ?? link) !== undefined && (
          <LinkNote {...{ refusal, values, isTagged }} id={refusalId} />
        )}
        <ShareValues
          {...{ editor, published }}
          values={typed}
          set={setTyped}
          hasEmailService={isTagged}
        />
        {isSigned && (
          <Signing
            {...{ service, uid }}
            link={linkToSign(base, template, values, options.widthPx)}
            onSigned={setSigned}
          />
        )}
        <EmailFields
          editor={editor}
          options={options}
          set={setOptions}
          version={version}
          widthPxMax={template.width}
          sizes={linkSizes(published)}
          variables={linkVariables(published)}
          isSigned={isSigned}
          darkNote={darkNote(choice, snippets, emailService)}
        />
        <SnippetList
          {...{ snippets, services, published, serviceId, setServiceId, values, offBecause }}
          recipe={isSigned && recipeFor(base, template, values, emailService, published, choice)}
        />
      </div>
      <ShareImages
        {...{ editor, published, values, link }}
        size={options.size}
        isRefused={refusal !== undefined}
      />
    </div>
  );
}

interface LinkTextProps {
  /** Undefined until it is signed. */
  link: string | undefined;
  /** The link with the typed values in place of tags. */
  image: string | undefined;
  /** Id of the text that says why the link must not be used now. */
  offBecause: string | undefined;
}

/** The link and its actions. */
function LinkText({ link, image, offBecause }: LinkTextProps): VNode {
  if (link === undefined || image === undefined) {
    return <p class="hint">The link needs a signature: make or paste a signing key below.</p>;
  }
  const isOff = offBecause !== undefined;
  return (
    <CopyText name="Link" text={link} lines={2} offBecause={offBecause}>
      <a
        class="button"
        role="link"
        aria-disabled={isOff}
        {...(isOff ? {} : { href: image, target: '_blank', rel: 'noreferrer' })}
      >
        Open the image
      </a>
    </CopyText>
  );
}

interface LinkNoteProps {
  id: string;
  /** Why the link lacks what is typed, as a sentence. */
  refusal: string | undefined;
  values: readonly SnippetValue[];
  /** Whether tags of an email service stand in place of personal values. */
  isTagged: boolean;
}

/** What the readers of the link see, or why it lacks what is typed. */
function LinkNote({ id, refusal, values, isTagged }: LinkNoteProps): VNode | null {
  if (values.length === 0) return null;
  return (
    <p
      id={id}
      class={`share-readers ${refusal === undefined ? 'soft' : 'problem'}`}
      role={refusal === undefined ? undefined : 'alert'}
    >
      {refusal ?? readerWords(values, isTagged)}
    </p>
  );
}

/** Says who sees which image. With values of one contact the link is an example. */
function readerWords(values: readonly SnippetValue[], isTagged: boolean): string {
  if (isTagged) return 'The email service puts the values of each contact in place of the tags.';
  const personal = values.flatMap(({ name, value, isPersonal }) =>
    isPersonal && value !== '' ? [name] : [],
  );
  return personal.length === 0
    ? 'Everybody who opens this link sees the same image. For an email that greets each contact, choose its service below.'
    : `This is the link of one reader, as an example: everybody who opens it sees the typed ${personal.join(' and ')}. For an email, choose its service below. Its code has the value of each contact.`;
}

/** Returns the email services for the link. A merge tag breaks a signature unless the email service signs itself. */
function servicesFor(isSigned: boolean): readonly EmailService[] {
  return isSigned ? emailServices.filter(({ signer }) => signer !== undefined) : emailServices;
}

interface SnippetListProps {
  snippets: Snippets | undefined;
  /** The HTML for an email service that signs links itself. */
  recipe: string | false | undefined;
  services: readonly EmailService[];
  published: Template;
  serviceId: string;
  setServiceId: (id: string) => void;
  values: readonly SnippetValue[];
  /** Id of the text that says why nothing must be copied now. */
  offBecause: string | undefined;
}

function SnippetList({
  snippets,
  recipe,
  services,
  published,
  serviceId,
  setServiceId,
  values,
  offBecause,
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
        <p class="soft share-shared">
          {sharedWords(values)} {emailService.note}
        </p>
      )}
      {typeof recipe === 'string' && (
        <CopyText name="HTML that signs" lines={6} text={recipe} {...{ offBecause }} />
      )}
      {snippets !== undefined && (
        <>
          <CopyText name="HTML" lines={6} text={snippets.html} {...{ offBecause }} />
          <CopyText name="Markdown" lines={2} text={snippets.markdown} {...{ offBecause }} />
          <CopyText
            name="curl"
            lines={2}
            text={curlFor(snippets.curl, published)}
            offBecause={offBecause}
          />
        </>
      )}
    </section>
  );
}

/** Names the values that are the same for all readers, and how they become those of each contact. */
function sharedWords(values: readonly SnippetValue[]): string {
  const shared = values.filter(({ isPersonal }) => !isPersonal);
  const names = (isTyped: boolean): string =>
    shared
      .filter(({ value }) => (value !== '') === isTyped)
      .map(({ name }) => name)
      .join(', ');
  const [typed, left] = [names(true), names(false)];
  const sentences = [
    left === '' ? '' : `The code leaves out ${left}: every reader sees the default.`,
    typed === '' ? '' : `Every reader sees the typed ${typed}.`,
    shared.length === 0
      ? ''
      : 'Tick “from contact” at a value that the email service shall fill in.',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function curlFor(curl: string, { linkAuth }: Template): string {
  return linkAuth === 'key' ? `${curl} \\\n  -H "X-API-Key: $PLATEN_API_KEY"` : curl;
}
