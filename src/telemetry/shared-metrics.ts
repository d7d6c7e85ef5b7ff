/** Metrics of a node of a shared database. */
import type { Family } from '../foundation/metric-families.ts';
import { gaugeFamily } from '../foundation/metric-families.ts';
import type { SharedState } from '../store/database/shared-port.ts';

export interface SharedSources {
  /** Undefined without a shared database. */
  shared?: { state: SharedState } | undefined;
}

/** None without a shared database. */
export function sharedFamilies({ shared }: SharedSources): Family[] {
  if (shared === undefined) return [];
  return [
    gaugeFamily(
      'platen_shared_database_connected',
      '1 while the shared database can be reached, 0 while it is away: nothing can be changed then.',
      () => (shared.state.isConnected ? 1 : 0),
    ),
    gaugeFamily(
      'platen_shared_database_position',
      'Number of the last change of the shared database that this node has.',
      () => shared.state.position,
    ),
  ];
}
