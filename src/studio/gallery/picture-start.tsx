/** Begins a template on a picture: dropped, chosen as a file, or by its address. */
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Asset } from '../../client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { imageFiles, uploadImage } from '../panels/upload.ts';
import { explainError } from '../state/explain-error.ts';
import type { Service } from '../state/service.ts';
import { nameOfAddress, nameOfFile, pictureDocument } from './new-documents.ts';

/** What it needs. */
export interface PictureStartProps {
  service: Service;
  create: (document: Template) => void;
}

/** What is under way: in words, and the part that is done where it can be told. */
interface Progress {
  text: string;
  part?: number;
}

/** Uploads the picture, then makes a document of its size. */
export function PictureStart({ service, create }: PictureStartProps): VNode {
  const [progress, setProgress] = useState<Progress | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const begin = async (text: string, name: string, send: () => Promise<Asset>): Promise<void> => {
    setProgress({ text });
    setProblem(undefined);
    try {
      create(pictureDocument(name, await send()));
    } catch (error) {
      setProblem(explainError(error));
    } finally {
      setProgress(undefined);
    }
  };
  const take = (file: File): void => {
    const text = `Uploading ${file.name} …`;
    const onProgress = (part: number): void => setProgress({ text, part });
    // In the promise, so that a file that is refused here is told like one that the service refuses.
    const send = async (): Promise<Asset> => uploadImage(service, file, onProgress);
    void begin(text, nameOfFile(file.name), send);
  };
  const fetchFrom = (address: string): void => {
    const send = (): Promise<Asset> => service.client.uploadAssetFromUrl(address);
    void begin('The service fetches the picture …', nameOfAddress(address), send);
  };
  const isBusy = progress !== undefined;
  return (
    <div class="picture-start">
      <DropZone isBusy={isBusy} take={take} />
      <AddressForm isBusy={isBusy} fetchFrom={fetchFrom} />
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
    </div>
  );
}

interface DropZoneProps {
  isBusy: boolean;
  take: (file: File) => void;
}

function DropZone({ isBusy, take }: DropZoneProps): VNode {
  const [isOver, setOver] = useState(false);
  const takeFirst = (files: FileList | null | undefined): void => {
    const [file] = files ?? [];
    if (file !== undefined && !isBusy) take(file);
  };
  return (
    <label
      class="drop-zone"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        takeFirst(event.dataTransfer?.files);
      }}
    >
      <input
        type="file"
        class="quiet"
        accept={imageFiles}
        disabled={isBusy}
        onCancel={(event) => event.stopPropagation()}
        onChange={(event) => takeFirst(event.currentTarget.files)}
      />
      <strong>Drop a picture here, or choose a file</strong>
      <span>
        A design exported from Canva, Figma or Photoshop becomes the background; put text and
        variables on top of it.
      </span>
    </label>
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
