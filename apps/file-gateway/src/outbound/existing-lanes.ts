import { LANE_KINDS } from '../domain/read-file-command.ts';
import type { ExistingLane } from '../application/file-stores.ts';

interface Row {
  tenant: string;
  kind: string;
  identity: string;
}

/** Rows of the table `lanes` that are this app's. */
export function existingLanes(rows: readonly Row[]): ExistingLane[] {
  return rows.flatMap(({ tenant, kind: name, identity }) => {
    const kind = LANE_KINDS.find((known) => known === name);
    return kind === undefined ? [] : [{ tenant, kind, identity }];
  });
}
