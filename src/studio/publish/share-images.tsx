/** The published image with the typed values, and the QR code of the link. */
import type { VNode } from 'preact';
import type { SnippetValue } from '../../pages/browser/email-snippets.ts';
import type { Template } from '#language/schema/template.ts';
import { documentInSize } from '#language/sizes.ts';
import type { Editor } from '../state/editor.ts';
import { useImage } from './comparison.tsx';
import { codeDocument } from './share-links.ts';

/** Keeps typed values as sample values: the canvas shows them, and the dialog starts with them next time. */
export function keepSampleValues(editor: Editor, values: readonly SnippetValue[]): void {
  const names = new Set(values.map(({ name }) => name));
  const others = Object.entries(editor.values.peek()).filter(([name]) => !names.has(name));
  const typed = values.flatMap(({ name, value }) => (value === '' ? [] : [[name, value] as const]));
  editor.values.value = Object.fromEntries([...others, ...typed]);
}

interface ShareImagesProps {
  editor: Editor;
  published: Template;
  values: readonly SnippetValue[];
  /** The name of a size; empty for the canvas. */
  size: string;
  /** The link with these values; undefined until it is signed. */
  link: string | undefined;
  /** Whether the values and the link lack what is typed. */
  isRefused: boolean;
}

export function ShareImages({ link, ...image }: ShareImagesProps): VNode {
  return (
    <div class="share-side">
      <LiveImage {...image} />
      <Code editor={image.editor} link={link} isRefused={image.isRefused} />
    </div>
  );
}

/** The published image with the typed values. */
function LiveImage({
  editor,
  published,
  values,
  size,
  isRefused,
}: Omit<ShareImagesProps, 'link'>): VNode {
  const { width, height } = documentInSize(published, size === '' ? undefined : size) ?? published;
  const version = editor.publishedVersion.value ?? 1;
  const given = values.filter(({ value }) => value !== '');
  const request = {
    uid: editor.uid,
    version,
    values: Object.fromEntries(given.map(({ name, value }) => [name, value])),
    onImageError: 'default',
    ...(size === '' ? {} : { size }),
  } as const;
  const key = JSON.stringify(request);
  const {
    url,
    problem,
    isOld = false,
  } = useImage(editor.service, request, [key], {
    keepsOld: true,
  });
  return (
    <figure
      class="share-image"
      aria-busy={isOld || (url === undefined && problem === undefined)}
      data-old={isOld || isRefused}
    >
      <div style={{ aspectRatio: `${width} / ${height}` }}>
        {url !== undefined && <img src={url} alt="The published image with these values" />}
        {problem !== undefined && <p class="problem">{problem}</p>}
      </div>
    </figure>
  );
}

/** The QR code of the link, which the service renders. What is missing leaves its place empty. */
function Code({
  editor,
  link,
  isRefused,
}: Pick<ShareImagesProps, 'editor' | 'link' | 'isRefused'>): VNode {
  const document = link === undefined ? undefined : codeDocument(link);
  const request =
    document === undefined ? undefined : ({ template: document, format: 'png', scale: 2 } as const);
  const { url, problem, isOld } = useImage(editor.service, request, [link], { keepsOld: true });
  const missing =
    link === undefined
      ? 'The code shows the signed link.'
      : document === undefined
        ? 'The link is too long for a QR code; leave values out.'
        : problem;
  const isCurrent = missing === undefined && url !== undefined && isOld !== true;
  const isReady = isCurrent && !isRefused;
  return (
    <aside class="share-code" aria-label="QR code">
      <div
        class="share-code-image"
        aria-busy={missing === undefined && !isCurrent}
        data-old={!isReady}
      >
        {missing !== undefined && <p>{missing}</p>}
        {missing === undefined && url !== undefined && (
          <img src={url} width="160" height="160" alt="QR code of the link" />
        )}
      </div>
      <p class="soft">Opens the image with {isRefused ? 'earlier' : 'these'} values.</p>
      <a
        class="button"
        role="link"
        aria-disabled={!isReady}
        download={`${editor.uid}-qr.png`}
        {...(isReady ? { href: url } : {})}
      >
        Download QR code (PNG)
      </a>
    </aside>
  );
}
