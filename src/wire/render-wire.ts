/** The messages between the service and its render hosts, and between a host and its threads. */
import type { FrameBounds } from './program/frames.ts';
import type {
  OrganizationFontFamily,
  RenderJob,
  RenderOutcome,
  SourceImage,
} from './render-job.ts';

/** Options of each thread of a host, as its configuration has them. */
export interface RenderThreadOptions {
  /** Upper bound of cached base renders in bytes, for each thread of the host; absent: 128 MiB. */
  baseRendersBytesMax?: number | undefined;
  /** Upper bound of cached decoded images in bytes; absent: 32 MiB. */
  drawablesBytesMax?: number | undefined;
}

/** Argument of a render host. */
export interface RenderHostOptions {
  /** The module of its threads. */
  threadFile: string;
  threads: number;
  /** Niceness after the first job, from 0 to 19, the lowest priority; absent: as hosts that answer links. */
  niceness?: number | undefined;
  thread: RenderThreadOptions;
}

/** Memory of a thread, or of all threads of a host, in bytes. */
export interface ThreadFigures {
  /** Capacity that V8 holds for JavaScript objects. */
  heapBytes: number;
  baseRendersBytes: number;
  drawablesBytes: number;
}

/** A document with its `templateKey`. */
export type JobTemplate = Pick<RenderJob, 'templateJson'> & { fonts?: OrganizationFontFamily[] };

/** The part of a job that no other job has. */
export type JobRest = Omit<
  RenderJob,
  'templateKey' | 'templateJson' | 'fonts' | 'values' | 'images' | 'subject'
> & {
  /** Pairs, because JSON has no maps, and a variable may be called `__proto__`. */
  values: [name: string, value: string][];
};

/**
 * Messages of the service. A host keeps templates by key and image files by `imageKey` until the service sends
 * `forget`. Each is thus sent once: `template` and `image` precede the first job that needs them.
 */
export type HostOrder =
  /** The body is a `JobTemplate` in JSON. */
  | { kind: 'template'; key: string }
  /** The body is the file. */
  | { kind: 'image'; key: string }
  /** The body is a `JobRest` in JSON. */
  | {
      kind: 'job';
      number: number;
      thread: number;
      template: string;
      images: [source: string, image: Omit<SourceImage, 'bytes'> & { key: string }][];
      /** Keys of templates and images that no later job needs unless they are sent again. */
      forget: string[];
    };

/** Messages of a host. `thread` is a number that no other thread of the host has had. */
export type HostReport =
  /** A thread takes jobs; `task` is its number in `/proc`, undefined on other systems. */
  | { kind: 'started'; thread: number; task?: number }
  /** After the loss of its job. A job that was sent later is not begun. */
  | { kind: 'ended'; thread: number }
  /** The thread of a job has ended, or has thrown an error. */
  | { kind: 'lost'; number: number; detail: string }
  /** Of all threads, at intervals. */
  | { kind: 'figures'; figures: ThreadFigures }
  /** A thread writes it. The body is the file of a success. */
  | { kind: 'outcome'; number: number; outcome: RenderOutcome };

// The parts that the threads of a host share, and the tasks of a thread.

/** Kinds of parts, each with a bound in bytes. */
export type PartKind = 'base' | 'image';

/** A part; `value` is plain data. */
export interface SharedPart {
  kind: PartKind;
  key: string;
  /** Its share of the bound of its kind. */
  bytes: number;
  value: unknown;
}

/** What a job has done with parts: for the index. */
export interface PartReport {
  made: SharedPart[];
  /** Keys of parts that it has read. */
  used: string[];
}

/** What has changed since the last job of a thread. */
export interface PartUpdate {
  made: SharedPart[];
  dropped: string[];
  /** The base render that the next one replaces; absent while one more fits. */
  nextDropped?: string | undefined;
}

/** What a thread gets for a job: shared memory, and its JSON. */
export interface ThreadTask {
  number: number;
  templateKey: string;
  template: Uint8Array;
  images: RenderJob['images'];
  rest: Uint8Array;
  parts?: PartUpdate | undefined;
}

/** What a thread returns for a job, whose outcome it has written. */
export interface ThreadAnswer {
  figures?: ThreadFigures | undefined;
  parts?: PartReport | undefined;
  /** The outcome of a job that has made parts, as a frame. The host sends it when its index has them. */
  frame?: { head: string; body: Uint8Array | undefined } | undefined;
}

/** A head has the report of every layer at most. A body: more than any admitted image file and any rendered file. */
export const hostFrameBounds: FrameBounds = {
  headBytesMax: 64 * 1024 * 1024,
  bodyBytesMax: 512 * 1024 * 1024,
};

/** Key of an image file on the wire: its digest names the image, and an SVG may be drawn in several sizes. */
export function imageKey({ digest, widthPx, heightPx, bytes }: SourceImage): string {
  return `${digest}:${widthPx}x${heightPx}:${bytes.byteLength}`;
}
