/** The types of the inputs and results of endpoints. */
import type { CallOptions, RenderedImage } from './call.ts';
import type * as Api from './endpoints.ts';

export type Endpoints = Api.Endpoints;

/** The names in braces of a path. */
type PathNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

/** The input of a call: query, body and options, and the values of the path if it has names in braces. */
export type InputOf<Key extends keyof Endpoints> = Omit<Endpoints[Key], 'answer'> &
  CallOptions &
  ([PathNames<Key>] extends [never] ? unknown : { path: Record<PathNames<Key>, string | number> });

/** Endpoints that always answer JSON, or an empty response. */
export type JsonEndpoint = {
  [Key in keyof Endpoints]: RenderedImage extends Endpoints[Key]['answer'] ? never : Key;
}[keyof Endpoints];

/** Endpoints that answer with a file or a stream. */
export type FileEndpoint = Exclude<keyof Endpoints, JsonEndpoint>;

/** The results of `renderJson`, by `response`. */
export interface RenderAnswers {
  image: RenderedImage;
  url: Api.RenderedLink;
  base64: Api.RenderedBase64;
}
