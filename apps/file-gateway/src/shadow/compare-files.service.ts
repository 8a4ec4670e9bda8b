import { JudgeShadowCalls, ShadowJudge } from '@gondola/lanes/shadow/judge-shadow-calls';
import { type Finding, type ShadowRow, WHY_NOT } from '@gondola/shared/shadow/shadow-verdict';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { tracing } from '@gondola/service-kit/tracing/tracing';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type CallOptions, PlatformAdapter } from '../platform/platform.adapter.ts';

const READ_MS = 30_000;
/** Routes after which the list of a SKU has pictures. */
const ADDS_PICTURES: ReadonlySet<string> = new Set(['uploadImages', 'linkImages']);

/**
 * Lays the files that a tenant in shadow left out beside those of the shop: an order has a PDF or none. Of pictures the
 * shop shows addresses only, so that it is certain only that there are none.
 */
@Injectable()
export class CompareFiles extends ShadowJudge implements OnModuleInit {
  constructor(
    private readonly comparison: JudgeShadowCalls,
    private readonly platform: PlatformAdapter,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  onModuleInit(): void {
    this.comparison.lookBy(this);
  }

  override async look(
    tenant: string,
    entity: string,
    rows: readonly ShadowRow[],
  ): Promise<ReadonlyMap<string, Finding>> {
    const traceparent = tracing.begin('compare files', this.randomness.bytes);
    const options = { tenant, traceparent, signal: AbortSignal.timeout(READ_MS) };
    const findings = new Map<string, Finding>();
    for (const row of rows) {
      const finding = await this.#lookAt(row, entity, options);
      if (finding !== null) findings.set(row.id, finding);
    }
    return findings;
  }

  /** Null if the platform does not answer. */
  async #lookAt({ route }: ShadowRow, entity: string, options: CallOptions): Promise<Finding | null> {
    if (route === 'uploadInvoicePdf') return this.#lookAtPdf(Number(entity), options);
    if (!ADDS_PICTURES.has(route)) return { kind: 'not-comparable', why: WHY_NOT.pictures };
    const answer = await this.platform.listImages(entity, options);
    if (answer.kind === 'unavailable') return null;
    const isThere = answer.kind === 'found' && answer.value.length > 0;
    return isThere ? { kind: 'not-comparable', why: WHY_NOT.pictures } : { kind: 'only-gondola' };
  }

  async #lookAtPdf(orderNumber: number, options: CallOptions): Promise<Finding | null> {
    const order = await this.platform.findOrderId(orderNumber, options);
    if (order.kind === 'unavailable') return null;
    if (order.kind !== 'found') return { kind: 'only-gondola' };
    const answer = await this.platform.findInvoice(order.value, options);
    if (answer.kind === 'unavailable') return null;
    return answer.kind === 'found' ? { kind: 'same' } : { kind: 'only-gondola' };
  }
}
