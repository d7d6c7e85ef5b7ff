/** Every endpoint of the service, in the order of the reference. `/metrics` has a port of its own and is not among them. */
import { assetOperations } from './asset-operations.ts';
import { keyOperations } from './key-operations.ts';
import type { Operation } from './operation.ts';
import { previewOperations } from './render-operations.ts';
import { renderOperations } from './render-operations.ts';
import { sampleOperations } from './sample-operations.ts';
import { serviceOperations } from './service-operations.ts';
import { templateOperations } from './template-operations.ts';

export const operations: readonly Operation[] = [
  ...renderOperations,
  ...templateOperations,
  ...sampleOperations,
  ...previewOperations,
  ...assetOperations,
  ...keyOperations,
  ...serviceOperations,
];
