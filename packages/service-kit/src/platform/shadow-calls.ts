import type { LeftOutChange } from '@gondola/platform-client/shadow';

/** Says what tenants in shadow leave out, and stores it; provided by an app that makes changes. */
export abstract class ShadowCalls {
  /** As `ShadowDoor.leavesOut`, of a tenant. */
  abstract leavesOut(tenant: string, cameAt: number | null): boolean;

  abstract store(changes: readonly LeftOutChange[]): Promise<void>;
}
