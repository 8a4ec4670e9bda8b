/** A read by both clocks. */
export interface ComparedClocks {
  /** When the call began, by Gondola's clock, in milliseconds since 1970. */
  readonly began: number;
  readonly tookMs: number;
  /** The platform's answer, by its clock, in whole seconds. */
  readonly platformMs: number;
}

/** Lead from which operators are told. */
export const LEAD_TOLD_MS = 2_000;

/**
 * Milliseconds by which Gondola's clock is certainly ahead of the platform's; negative if it is certainly behind, and
 * 0 if the call's duration and the whole seconds of the answer explain the difference.
 */
export function clockLeadMs({ began, tookMs, platformMs }: ComparedClocks): number {
  const least = began - (platformMs + 1_000);
  const most = began + tookMs - platformMs;
  if (least > 0) return least;
  return most < 0 ? most : 0;
}
