/** Metrics of a node of a shared database. */
import type { Family } from '../foundation/metric-families.ts';
import { gaugeFamily } from '../foundation/metric-families.ts';
import type { SharedState } from '../store/shared/shared-database.ts';

export interface SharedSources {
  /** Undefined without a shared database. */
  shared?: { state: SharedState } | undefined;
  tableWriter?: { behind: number };
}

/** None without a shared database. */
export function sharedFamilies({ shared, tableWriter }: SharedSources): Family[] {
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
    gaugeFamily(
      'platen_shared_tables_behind',
      'Data tables whose newest rows this node does not have yet: it answers with those of before.',
      () => tableWriter?.behind ?? 0,
    ),
  ];
}
