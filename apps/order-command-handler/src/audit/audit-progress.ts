import { MINUTE_MS } from '@gondola/shared/durations';
import type { AuditEntity } from './audit.entity.ts';
import type { Audit, AuditKind, AuditSums } from './audit.dto.ts';

/** Counts and sums of an audit's numbers. */
export type AuditCounts = Pick<Audit, 'numbers' | 'open' | 'orders' | 'differing' | 'erased'> &
  Pick<AuditSums, keyof AuditSums> & { readonly latestDueAt: Date | null };

/** An audit as it stands. */
export type RunAudit = Omit<AuditEntity, 'nextReadAt'> & AuditCounts & { readonly kinds: readonly AuditKind[] };

/** Progress, sums and estimated end of an audit. */
export function shownAudit(audit: RunAudit, readsPerMinute: number, nowMs: number): Audit {
  const { isListed, unreadNumbers, latestDueAt, startedAt, finishedAt, ...rest } = audit;
  const { shopOrders, shopCents, publishedOrders, publishedCents, ...others } = rest;
  const { invoicedOrders, invoicedCents, chargedCents, ...progress } = others;
  const endMs = Math.max(nowMs + (audit.open * MINUTE_MS) / readsPerMinute, latestDueAt?.getTime() ?? 0);
  return {
    ...progress,
    sums: { shopOrders, shopCents, publishedOrders, publishedCents, invoicedOrders, invoicedCents, chargedCents },
    unreadNumbers: Number(unreadNumbers),
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    estimatedEndAt: audit.state === 'running' && isListed ? new Date(endMs).toISOString() : null,
  };
}
