/** The kind of the lane in which a tenant's audits are worked on. */
export const AUDIT_LANE = 'audit';

/** One lane per tenant, so that its reads go one by one, on however many replicas. */
export function auditLane(tenant: string) {
  return { tenant, kind: AUDIT_LANE, identity: 'months' } as const;
}
