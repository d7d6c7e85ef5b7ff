/** Routes of other services that Platen answers, so that their users migrate by changing address and key. */
import type { Route } from '../http/route.ts';
import type { AdapterParts } from './adapter.ts';
import { bannerbearRoutes } from './bannerbear.ts';
import { placidRoutes } from './placid.ts';

export function adapterRoutes(parts: AdapterParts): Route[] {
  return [...bannerbearRoutes(parts), ...placidRoutes(parts)];
}
