import { asOperator } from '@gondola/local-stack/testing/as-operator';
import type { AwaitedReference } from '@gondola/shared/results/result';
import { CATALOG_TOPICS, type CatalogKind } from '../../src/records/catalog-kinds.ts';
import { CatalogInstallation, type TestTenant } from './catalog-app.ts';
import type { AskedRecords } from './preflight-records.ts';
import { fullProduct, fullSku } from './product-samples.ts';
import { brand, category } from './references.ts';
import { SandboxShop } from './sandbox-shop.ts';

interface ShownReason {
  readonly field?: string;
  readonly code: string;
  readonly skuExternalReference?: string;
}

interface Checked {
  readonly outcome: string;
  readonly errors: readonly ShownReason[];
  readonly warnings: readonly ShownReason[];
  readonly waitsFor: readonly AwaitedReference[];
}

/** Predicted or real outcome of a record; reasons as `code field sku`. */
interface Verdict {
  readonly outcome: string;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** A record whose real outcome is another one than preflight's. */
export interface Difference {
  readonly kind: CatalogKind;
  readonly record: string;
  readonly said: unknown;
  readonly was: unknown;
}

/** Outcome of a result, in the words of preflight. */
const WORDS: Readonly<Record<string, string>> = { applied: 'valid' };

/**
 * The real app with the real sandbox, of which preflight is asked before the same records are sent, one after the
 * other. The platform is no judge here: no two products have one slug, so that it refuses nothing that Gondola lets
 * pass; and what only a switch of the sandbox requires is not required.
 */
export class PreflightModel {
  #lastRound = 0;

  private constructor(
    private readonly gondola: CatalogInstallation,
    private readonly shop: SandboxShop,
  ) {}

  static async start(label: string, tenants: readonly TestTenant[]): Promise<PreflightModel> {
    const shop = await SandboxShop.start(label, (tenant, parts) => gondola.notify(tenant, parts));
    const gondola = await CatalogInstallation.create(label, tenants, { LOG_LEVEL: 'warn' }, shop.sandbox.url);
    const { TEST_PLATFORM_PASSWORD: password = '' } = gondola.installation.env;
    for (const [tenant, contractAccountId] of gondola.accounts)
      await shop.open({ tenant, contractAccountId, username: `erp-${tenant}`, password });
    // The document does not show which fields of a category are required.
    await shop.sandbox.admin('POST', '/switches', { requiredOfCategory: ['externalReference'] });
    await gondola.startApp();
    await gondola.readTopics();
    return new PreflightModel(gondola, shop);
  }

  async close(): Promise<void> {
    await this.shop.close();
    await this.gondola.close();
  }

  /** Asks and sends the requests of a round, whose entities are its own; stops at the first difference. */
  async play(tenant: string, requests: readonly AskedRecords[]): Promise<Difference | null> {
    this.#lastRound += 1;
    const round = new Round(this.gondola, tenant, `r${this.#lastRound}-`);
    for (const request of requests) {
      const difference = await round.play(request);
      if (difference !== null) return difference;
    }
    return null;
  }
}

class Round {
  readonly #sent = new Map<string, string>();
  #supplied = 0;
  #records = 0;

  constructor(
    private readonly gondola: CatalogInstallation,
    private readonly tenant: string,
    private readonly prefix: string,
  ) {}

  async play({ kind, texts }: AskedRecords): Promise<Difference | null> {
    await this.#quiet();
    const records = texts.map((text) => this.#own(text));
    const checked = await this.#check(kind, records);
    const supplied = new Set<string>();
    for (const [index, record] of records.entries()) {
      const said = checked[index]!;
      const { was, waitedFor } = await this.#send(kind, record, supplied);
      const isSame = JSON.stringify(verdict(said.outcome, said.errors, said.warnings)) === JSON.stringify(was);
      const announced = new Set(said.waitsFor.map(nameOf));
      const isAnnounced =
        waitedFor.every((each) => announced.has(each)) &&
        [...announced].every((each) => waitedFor.includes(each) || supplied.has(each));
      if (!isSame || !isAnnounced) return { kind, record, said, was: { ...was, waitedFor } };
      for (const each of waitedFor) supplied.add(each);
      // Preflight says that the children of one that waits wait as well; here it is known by now.
      if (said.waitsFor.length > 0) for (const each of ownReferences(record)) supplied.add(`${kind}/${each}`);
      // Later records of the request may be about what was supplied here, which preflight cannot know.
      if (waitedFor.some((each) => /\/r\d+-[ck]\d$/.test(each))) return null;
    }
    return null;
  }

  /** The record with the round's own names, and an id of its own if it has none. */
  #own(text: string): string {
    this.#records += 1;
    const id = `${this.prefix}${this.#records}`;
    const own = text.replaceAll('~', this.prefix);
    if (own === '{"externalReference":') return `${own} ${id}`;
    return JSON.stringify({ recordId: id, ...(JSON.parse(own) as object) });
  }

  async #check(kind: CatalogKind, records: readonly string[]): Promise<readonly Checked[]> {
    const { running } = this.gondola.installation;
    const response = await asOperator(`${running.url}/api/preflight?tenant=${this.tenant}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind, records }),
    });
    if (response.status !== 200) throw new Error(`Preflight was answered ${response.status}`);
    return ((await response.json()) as { records: Checked[] }).records;
  }

  /** Sends a record, and supplies what it waits for. */
  async #send(kind: CatalogKind, record: string, supplied: ReadonlySet<string>) {
    const fields = parsed(record);
    const message = { value: record, headers: { ce_tenant: this.tenant }, isBad: true } as const;
    const reference = fields?.['externalReference'];
    if (typeof reference !== 'string') {
      await this.gondola.produceTo(CATALOG_TOPICS[kind], message);
      return { was: await this.#deadLetter(record), waitedFor: [] };
    }
    const commandId = String(fields?.['recordId']);
    const name = `${kind}/${commandId}`;
    const before = this.#sent.get(name);
    this.#sent.set(name, before ?? record);
    const known = this.#results(kind, commandId).length;
    await this.gondola.produceTo(CATALOG_TOPICS[kind], { ...message, key: reference.trim() });
    // A repeat has no result.
    if (before === record) return { was: verdict('repeated', [], []), waitedFor: [] };
    const waitedFor: string[] = [];
    for (let next = known; ; next += 1) {
      await this.gondola.until(() => this.#results(kind, commandId).length > next);
      const { outcome, errors, warnings, reason, for: awaited } = this.#results(kind, commandId)[next]!;
      if (outcome !== 'waiting') {
        const all = errors.length === 0 && reason !== null && outcome !== 'applied' ? [reason] : errors;
        return { was: verdict(WORDS[outcome] ?? outcome, all, warnings), waitedFor };
      }
      const unknown = awaited.filter((each) => !waitedFor.includes(nameOf(each)) && !supplied.has(nameOf(each)));
      waitedFor.push(...unknown.map(nameOf));
      for (const each of unknown) await this.#supply(each);
    }
  }

  #results(kind: CatalogKind, commandId: string) {
    type Shown = Pick<Checked, 'outcome' | 'errors' | 'warnings'> & {
      readonly reason: ShownReason | null;
      readonly for: readonly AwaitedReference[];
    };
    const ofKind = this.gondola.results(commandId).filter(({ value }) => {
      const entity = value['entity'] as { kind: string } | null;
      return entity?.kind === kind && value['tenant'] === this.tenant && value['outcome'] !== 'corrected';
    });
    return ofKind.map(({ value }) => value as unknown as Shown);
  }

  async #deadLetter(record: string): Promise<Verdict> {
    const letters = () =>
      this.gondola.installation
        .records('dead-letters.v1')
        .filter(
          ({ value, headers }) => value?.toString() === record && (headers['ce_tenant'] ?? this.tenant) === this.tenant,
        );
    await this.gondola.until(() => letters().length > 0);
    const code = String(letters()[0]!.headers['ce_reasoncode']);
    return verdict('unreadable', [{ code, field: '' }], []);
  }

  async #supply({ kind, externalReference }: AwaitedReference): Promise<void> {
    this.#supplied += 1;
    const reference = `${this.prefix}supplied-${this.#supplied}`;
    const sku = fullSku({ externalReference, reference: externalReference, ean: 'SEM GTIN' });
    const product = fullProduct({ externalReference: reference, slug: reference, skus: [sku] });
    const of = { brand, category, sku: () => product };
    const topic = CATALOG_TOPICS[kind === 'sku' ? 'product' : kind];
    const value = { ...of[kind](externalReference), recordId: reference };
    await this.gondola.produceTo(topic, { value, headers: { ce_tenant: this.tenant } });
  }

  /** Waits until all is concluded and published. */
  async #quiet(): Promise<void> {
    await this.gondola.until(async () => {
      const [row] = await this.gondola.query(
        `SELECT 1 FROM commands WHERE tenant = $1 AND state = 'open'
         UNION ALL SELECT 1 FROM products WHERE tenant = $1 AND known::json ->> 'snapshot' IS NOT NULL LIMIT 1`,
        [this.tenant],
      );
      return row === undefined;
    });
  }
}

function verdict(outcome: string, errors: readonly ShownReason[], warnings: readonly ShownReason[]): Verdict {
  return { outcome, errors: errors.map(reasonText).toSorted(), warnings: warnings.map(reasonText).toSorted() };
}

function reasonText({ code, field = '', skuExternalReference = '' }: ShownReason): string {
  return `${code} ${field} ${skuExternalReference}`.trim();
}

function nameOf({ kind, externalReference }: AwaitedReference): string {
  return `${kind}/${externalReference}`;
}

/** References of a record and of the children in its tree. */
function ownReferences(record: string): string[] {
  return [...record.matchAll(/"externalReference":"\s*([^"]*)"/g)].map(([, reference = '']) => reference);
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}
