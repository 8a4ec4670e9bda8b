import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { reasonOf, type SftpError, type SftpTrouble } from './sftp-error.ts';
import { messageOf, needsSomebody } from './sftp-texts.ts';

/** One session as shown to operators, without file names. */
export interface SftpSession {
  readonly tenant: string;
  readonly host: string;
  readonly port: number;
  readonly skuExternalReference: string;
  readonly traceparent: string;
  /** Number of files placed or found in place. */
  readonly count: number;
  readonly durationMs: number;
}

/** Failures that say nothing about the server. */
const OWN: ReadonlySet<SftpTrouble> = new Set(['given-up', 'content']);

/**
 * Logs one line per session with an SFTP server, counts the sessions, and records the failure that blocks a tenant.
 */
@Injectable()
export class SftpMetrics {
  readonly #sessions: Counter<'outcome'>;
  readonly #blocked: Gauge<'tenant' | 'reason'>;
  readonly #reasons = new Map<string, string>();

  constructor(
    registry: Registry,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const registers = [registry];
    this.#sessions = new Counter({
      name: 'gondola_sftp_sessions_total',
      help: 'Sessions with SFTP servers of tenants, by outcome: placed, or the reason of the failure.',
      labelNames: ['outcome'],
      registers,
    });
    this.#blocked = new Gauge({
      name: 'gondola_sftp_blocked',
      help: '1 if the last session with the SFTP server of a tenant failed, by reason; else no sample.',
      labelNames: ['tenant', 'reason'],
      registers,
    });
  }

  placed(session: SftpSession): void {
    this.#sessions.inc({ outcome: 'placed' });
    this.#unblock(session.tenant);
    this.logger.info({ ...session, outcome: 'placed' }, 'Images were placed by SFTP');
  }

  failed(session: SftpSession, error: SftpError): void {
    const { code, detail } = error;
    this.#sessions.inc({ outcome: code });
    const reason = reasonOf(error);
    const fields = { ...session, outcome: reason, detail: detail ?? undefined };
    if (OWN.has(code)) return this.logger.warn(fields, 'A session with an SFTP server was aborted by this app');
    const { tenant } = session;
    this.#unblock(tenant);
    this.#reasons.set(tenant, reason);
    this.#blocked.set({ tenant, reason }, 1);
    if (needsSomebody(error)) this.logger.error(fields, messageOf(error));
    else this.logger.warn(fields, messageOf(error));
  }

  /** Reason for the failure of a tenant's last session; null if it succeeded. */
  reasonOf(tenant: string): string | null {
    return this.#reasons.get(tenant) ?? null;
  }

  #unblock(tenant: string): void {
    const reason = this.#reasons.get(tenant);
    if (reason !== undefined) this.#blocked.remove({ tenant, reason });
    this.#reasons.delete(tenant);
  }
}
