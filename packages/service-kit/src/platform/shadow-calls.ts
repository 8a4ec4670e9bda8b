import type { LeftOutChange } from '@gondola/platform-client/shadow';

/** Stores what tenants in shadow would have sent; provided by an app that makes changes. */
export abstract class ShadowCalls {
  abstract store(changes: readonly LeftOutChange[]): Promise<void>;
}
