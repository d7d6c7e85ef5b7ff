/** Calls of other services that this one answers, so that programs migrate with another address and key. */
import type { Route } from '../http/route.ts';
import type { AdapterParts } from './adapter.ts';
import { bannerbearRoutes } from './bannerbear.ts';
import { placidRoutes } from './placid.ts';

export function adapterRoutes(parts: AdapterParts): Route[] {
  return [...bannerbearRoutes(parts), ...placidRoutes(parts)];
}
