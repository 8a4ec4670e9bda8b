import type { PlatformClient } from '@gondola/platform-client/platform-client';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { MAX_ATTEMPTS } from '@gondola/shared/commands/retry';
import { Inject, Injectable } from '@nestjs/common';
import type { NamesOf } from '../records/read-record.ts';
import type { Config } from '../config.ts';
import type { AssumedReferences } from '../waiting/known-references.ts';
import { placeNamesOf } from '../records/place-names.ts';
import type { PublishSettings, TenantCatalog } from '../records/record-plan.ts';
import type { WireProfile } from '@gondola/platform-client/wire-profile';

/** Settings of a tenant for its lane steps. */
export interface CatalogTenant {
  readonly id: string;
  readonly language: Language;
  readonly catalog: TenantCatalog;
  /** References that records do not wait for. */
  readonly assumed: AssumedReferences;
  /** Time from the first `waiting` to `REFERENCE_MISSING`, in milliseconds. */
  readonly referencesMs: number;
  readonly settings: PublishSettings;
  readonly profile: WireProfile;
  readonly platform: PlatformClient;
  /** Most calls at once. */
  readonly maxCalls: number;
}

/** The tenants of the configuration. */
@Injectable()
export class CatalogTenants {
  readonly #tenants: ReadonlyMap<string, CatalogTenant>;

  constructor(
    @Inject(CONFIG) { tenants, assumed, times }: Pick<Config, 'tenants' | 'assumed' | 'times'>,
    platforms: PlatformClients,
  ) {
    this.#tenants = new Map(
      tenants.map(
        ({
          id,
          language,
          catalog,
          platform: { profile, concurrency },
          deadlines: { commandMs, settleMs, referencesMs },
        }) => [
          id,
          {
            id,
            language,
            catalog,
            assumed: assumed.get(id)!,
            referencesMs,
            settings: {
              deadlineMs: commandMs,
              settleMs,
              lostAnswerMs: times.lostAnswerMs,
              timeoutMs: times.platformTimeoutMs,
              maxAttempts: MAX_ATTEMPTS,
            },
            profile,
            platform: platforms.of(id),
            maxCalls: concurrency,
          },
        ],
      ),
    );
  }

  find(id: string): CatalogTenant | undefined {
    return this.#tenants.get(id);
  }

  /** Names for the identities of a tenant's values. */
  readonly placeNames: NamesOf = (id, kind) => placeNamesOf(this.of(id), kind);

  /** @throws Error for a tenant that is not configured: its lanes have no worker, so that none can ask */
  of(id: string): CatalogTenant {
    const tenant = this.find(id);
    if (tenant === undefined) throw new Error('The tenant of the lane is not in the tenants file');
    return tenant;
  }
}
