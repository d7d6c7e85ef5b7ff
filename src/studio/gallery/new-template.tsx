/** The dialog for a new template: a blank one, one from an image, or a copy of a design. */
import { useState } from 'preact/hooks';
import type { TargetedEvent, VNode } from 'preact';
import type { TemplateSummary, Asset } from '../../client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { Dialog } from '../dialog.tsx';
import { DropZone } from '../drop-zone.tsx';
import { explainError } from '../wording.ts';
import type { Service } from '../state/service.ts';
import {
  blankDocument,
  commonSizes,
  sideMaxPx,
  toSide,
  nameOfAddress,
  nameOfFile,
  imageDocument,
} from './new-documents.ts';
import type { CommonSize } from './new-documents.ts';
import { Designs } from './designs.tsx';
import { freeName } from './free-name.ts';
import { imageFiles, uploadImage } from '../state/service.ts';

export interface NewTemplateProps {
  service: Service;
  /** Templates of the organization to copy, in display order. */
  templates: readonly TemplateSummary[];
  /** Called with the uid of the new template. */
  open: (uid: string) => void;
  close: () => void;
}

/** Offers all ways to create a template. Each of them creates a draft and opens it. */
export function NewTemplate({ service, templates, open, close }: NewTemplateProps): VNode {
  const { client } = service;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const begin = async (make: () => Promise<{ uid: string }>): Promise<void> => {
    // A key that is held down repeats, and would create several templates.
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      open((await make()).uid);
    } catch (error) {
      setProblem(explainError(error));
      setBusy(false);
    }
  };
  const create = (document: Template): void => {
    const name = freeName(document.name, templates);
    void begin(() => client.createTemplate({ ...document, name }));
  };
  const copy = ({ uid, name }: TemplateSummary): void =>
    void begin(() => client.duplicateTemplate(uid, { name: freeName(name, templates) }));
  const takeSample = ({ uid, name }: { uid: string; name: string }): void =>
    void begin(() => client.copySample(uid, { name: freeName(name, templates) }));

  return (
    <Dialog title="New template" className="new-dialog" close={close}>
      <div class="new-template" aria-busy={isBusy}>
        {problem !== undefined && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="new-plain">
          <section>
            <h3>Blank</h3>
            <div class="size-list">
              {commonSizes.map((size) => (
                <SizeTile size={size} create={create} />
              ))}
              <CustomSize create={create} />
            </div>
          </section>
          <section>
            <h3>From an image</h3>
            <ImageStart service={service} create={create} />
          </section>
        </div>
        <Designs service={service} templates={templates} takeSample={takeSample} copy={copy} />
      </div>
    </Dialog>
  );
}

interface SizeTileProps {
  size: CommonSize;
  create: (document: Template) => void;
}

function SizeTile({ size: { name, width, height, settings }, create }: SizeTileProps): VNode {
  const tilePx = 56;
  const scale = tilePx / Math.max(width, height);
  return (
    <button
      type="button"
      class="size-tile"
      onClick={() => create(blankDocument(name, width, height, settings))}
    >
      <svg viewBox="0 0 64 64" aria-hidden="true">
        <rect
          x={32 - (width * scale) / 2}
          y={32 - (height * scale) / 2}
          width={width * scale}
          height={height * scale}
          rx="3"
        />
      </svg>
      <span>{name}</span>
      <small>
        {width} × {height}
      </small>
    </button>
  );
}

function CustomSize({ create }: Pick<SizeTileProps, 'create'>): VNode {
  const [width, setWidth] = useState(1200);
  const [height, setHeight] = useState(600);
  const submit = (event: Event): void => {
    event.preventDefault();
    create(blankDocument('Untitled', width, height));
  };
  return (
    <form class="size-tile custom-size" onSubmit={submit}>
      <div>
        <SideField name="Width" px={width} set={setWidth} />
        <SideField name="Height" px={height} set={setHeight} />
      </div>
      <button>Create</button>
    </form>
  );
}

interface SideFieldProps {
  name: string;
  px: number;
  set: (px: number) => void;
}

function SideField({ name, px, set }: SideFieldProps): VNode {
  const read = (event: TargetedEvent<HTMLInputElement>): void =>
    set(toSide(event.currentTarget.valueAsNumber));
  return (
    <label>
      {name}
      <input type="number" min="1" max={sideMaxPx} required value={px} onChange={read} />
    </label>
  );
}

// A template that starts from an image: dropped, chosen as a file, or loaded from a URL.

interface ImageStartProps {
  service: Service;
  create: (document: Template) => void;
}

/** Progress of an upload: a text, and the finished part from 0 to 1 if known. */
interface Progress {
  text: string;
  part?: number;
}

/** Uploads the image, then makes a document of its size. */
function ImageStart({ service, create }: ImageStartProps): VNode {
  const [progress, setProgress] = useState<Progress | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const begin = async (text: string, name: string, send: () => Promise<Asset>): Promise<void> => {
    setProgress({ text });
    setProblem(undefined);
    try {
      create(imageDocument(name, await send()));
    } catch (error) {
      setProblem(explainError(error));
    } finally {
      setProgress(undefined);
    }
  };
  const take = (file: File): void => {
    const text = `Uploading ${file.name} …`;
    const onProgress = (part: number): void => setProgress({ text, part });
    // Async, so that `begin` reports a file that is refused here like a file that the service refuses.
    const send = async (): Promise<Asset> => uploadImage(service, file, onProgress);
    void begin(text, nameOfFile(file.name), send);
  };
  const fetchFrom = (address: string): void => {
    const send = (): Promise<Asset> => service.client.uploadAssetFromUrl(address);
    void begin('The service fetches the image …', nameOfAddress(address), send);
  };
  const isBusy = progress !== undefined;
  return (
    <div class="image-start">
      <div role="status">
        {progress !== undefined && (
          <p>
            {progress.text} <progress aria-label={progress.text} value={progress.part} />
          </p>
        )}
      </div>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <DropZone accept={imageFiles} isOff={isBusy} take={take}>
        <strong>Drop an image here, or choose a file</strong>
        <span>
          A design exported from Canva, Figma or Photoshop becomes the background; put text and
          variables on top of it.
        </span>
      </DropZone>
      <AddressForm isBusy={isBusy} fetchFrom={fetchFrom} />
    </div>
  );
}

interface AddressFormProps {
  isBusy: boolean;
  fetchFrom: (address: string) => void;
}

function AddressForm({ isBusy, fetchFrom }: AddressFormProps): VNode {
  const [address, setAddress] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    fetchFrom(address.trim());
  };
  return (
    <form onSubmit={submit}>
      <label>
        Or by its address
        <input
          type="url"
          required
          placeholder="https://…"
          value={address}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
      </label>
      <button disabled={isBusy}>Fetch</button>
    </form>
  );
}
