/** The kind of the lane in which a tenant's lost orders are looked for. */
export const RECOVERY_LANE = 'recovery';

/** One lane per tenant, so that its readings go one by one, on however many replicas. */
export function recoveryLane(tenant: string) {
  return { tenant, kind: RECOVERY_LANE, identity: 'orders' } as const;
}
