import { JudgeShadowCalls, ShadowJudge } from '@gondola/lanes/shadow/judge-shadow-calls';
import { type Finding, type ShadowRow, WHY_NOT } from '@gondola/shared/shadow/shadow-verdict';
import { StoredShadowCalls } from '@gondola/lanes/shadow/stored-shadow-calls';
import type { Tx } from '@gondola/service-kit/database/database';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { tracing } from '@gondola/service-kit/tracing/tracing';
import {
  isPlainRecord,
  type JsonValue,
  stringifyWithDigits,
  tryParseWithDigits,
} from '@gondola/shared/json/json-digits';
import type { ValueKind } from '@gondola/shared/topics/values';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadPace } from '../comparison/read-pace.service.ts';
import { type CatalogTenant, CatalogTenants } from '../lanes/catalog-tenants.service.ts';
import { readProduct } from '../platform/platform.adapter.ts';
import { readDifferences } from '../product-state/read-back.ts';
import { judgeLeftOut, judgeSeen, type SeenValue, valueIdentity, valueKindOf } from './judge-value.ts';

const READ_MS = 30_000;
const NOT_SHOWN: Finding = { kind: 'not-comparable', why: WHY_NOT.notShown };

/**
 * Lays what a tenant in shadow left out of its catalog beside the shop: products beside the read model, prices and
 * stock beside notifications of success, where the platform sends them. Brands and categories are not shown.
 */
@Injectable()
export class CompareCatalog extends ShadowJudge implements OnModuleInit {
  constructor(
    private readonly comparison: JudgeShadowCalls,
    private readonly calls: StoredShadowCalls,
    private readonly tenants: CatalogTenants,
    private readonly pace: ReadPace,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  onModuleInit(): void {
    this.comparison.lookBy(this);
  }

  isFor(tenant: string): boolean {
    return this.calls.leavesOut(tenant, null);
  }

  /** Stores the values that notifications show of tenants in shadow. */
  async saw(tx: Tx, seen: readonly (SeenValue & { readonly tenant: string })[]): Promise<void> {
    await this.calls.saw(
      tx,
      seen.map(({ tenant, kind, operationId, data }) => ({
        tenant,
        route: kind,
        entity: valueIdentity(kind, data, this.tenants.of(tenant).profile),
        commandId: operationId,
        body: stringifyWithDigits(data),
      })),
    );
  }

  override async look(
    tenantId: string,
    entity: string,
    rows: readonly ShadowRow[],
  ): Promise<ReadonlyMap<string, Finding>> {
    const tenant = this.tenants.of(tenantId);
    const findings = new Map<string, Finding>();
    const products = rows.filter(({ route }) => route === 'postProducts');
    if (products.length > 0) await this.#lookAtProduct(tenant, entity, products, findings);
    for (const row of rows.filter((each) => !products.includes(each))) {
      const kind = valueKindOf(row.route);
      if (row.side === 'shop') findings.set(row.id, judgeSeen(row, await this.calls.of(tenantId, entity, [row.route])));
      else if (kind === null) findings.set(row.id, NOT_SHOWN);
      else await this.#lookAtValue(tenant, kind, row, findings);
    }
    return findings;
  }

  async #lookAtProduct(
    { id: tenant, platform }: CatalogTenant,
    externalReference: string,
    rows: readonly ShadowRow[],
    findings: Map<string, Finding>,
  ): Promise<void> {
    if (platform.pausedForMs('getProduct') > 0) return;
    await this.pace.turn(tenant);
    const traceparent = tracing.begin('compare product', this.randomness.bytes);
    const answer = await readProduct(platform, externalReference, {
      signal: AbortSignal.timeout(READ_MS),
      traceparent,
    });
    if (answer.kind === 'unavailable') return;
    for (const row of rows) {
      const body = parsed(row);
      if (answer.kind !== 'found') findings.set(row.id, { kind: 'only-gondola' });
      else if (!isPlainRecord(body)) findings.set(row.id, NOT_SHOWN);
      else {
        const differences = readDifferences(body, answer.value);
        const found = JSON.stringify(differences);
        findings.set(row.id, differences.length === 0 ? { kind: 'same' } : { kind: 'another-value', found });
      }
    }
  }

  async #lookAtValue(
    { id: tenant, profile }: CatalogTenant,
    kind: ValueKind,
    row: ShadowRow,
    findings: Map<string, Finding>,
  ): Promise<void> {
    const body = parsed(row);
    if (!isPlainRecord(body)) return void findings.set(row.id, NOT_SHOWN);
    const seen = await this.calls.of(tenant, valueIdentity(kind, body, profile), [kind]);
    const isShown = seen.length > 0 || (await this.calls.isShown(tenant, kind));
    const settleMs = this.calls.settleMs.get(tenant)!;
    const { finding, explains } = judgeLeftOut(row, kind, { seen, isShown }, { profile, settleMs });
    findings.set(row.id, finding);
    for (const id of explains) findings.set(id, { kind: 'explained' });
  }
}

function parsed({ body }: ShadowRow): JsonValue {
  return body === null ? null : (tryParseWithDigits(body) ?? null);
}
