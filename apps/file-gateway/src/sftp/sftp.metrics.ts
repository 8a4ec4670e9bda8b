import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import type { SftpError, SftpTrouble } from './sftp-error.ts';

/** One session, as operators see it: no names of files. */
export interface SftpSession {
  readonly tenant: string;
  readonly host: string;
  readonly port: number;
  readonly skuExternalReference: string;
  readonly traceparent: string;
  /** Files that were placed, and those found in their place. */
  readonly count: number;
  readonly durationMs: number;
}

/** What somebody has to act on: nothing of the tenant goes by SFTP before it is mended. */
const ALERTS: Partial<Readonly<Record<SftpTrouble, string>>> = {
  'host-key': 'An SFTP server has another host key than those that are pinned: nothing is sent',
  credentials: 'An SFTP server refuses the user and password of a tenant: nothing is sent',
};

/** These show nothing about the server. */
const OWN: ReadonlySet<SftpTrouble> = new Set(['given-up', 'content']);

/** One log line for each session with an SFTP server, counts, and what a tenant is blocked by. */
@Injectable()
export class SftpMetrics {
  readonly #sessions: Counter<'outcome'>;
  readonly #blocked: Gauge<'tenant' | 'reason'>;
  readonly #reasons = new Map<string, SftpTrouble>();

  constructor(
    registry: Registry,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const registers = [registry];
    this.#sessions = new Counter({
      name: 'gondola_sftp_sessions_total',
      help: 'Sessions with SFTP servers of tenants, by outcome: placed, or the trouble that ended them.',
      labelNames: ['outcome'],
      registers,
    });
    this.#blocked = new Gauge({
      name: 'gondola_sftp_blocked',
      help: 'Whether the last session with the SFTP server of a tenant failed, by reason: 1, or no sample.',
      labelNames: ['tenant', 'reason'],
      registers,
    });
  }

  placed(session: SftpSession): void {
    this.#sessions.inc({ outcome: 'placed' });
    this.#unblock(session.tenant);
    this.logger.info({ ...session, outcome: 'placed' }, 'Images were placed by SFTP');
  }

  failed(session: SftpSession, { code, detail }: SftpError): void {
    this.#sessions.inc({ outcome: code });
    const fields = { ...session, outcome: code, detail: detail ?? undefined };
    if (OWN.has(code)) return this.logger.warn(fields, 'A session with an SFTP server was given up on this side');
    const { tenant } = session;
    this.#unblock(tenant);
    this.#reasons.set(tenant, code);
    this.#blocked.set({ tenant, reason: code }, 1);
    const alert = ALERTS[code];
    if (alert === undefined) this.logger.warn(fields, 'A session with an SFTP server failed');
    else this.logger.error(fields, alert);
  }

  /** What the last session of a tenant failed by; null where it did not. */
  reasonOf(tenant: string): SftpTrouble | null {
    return this.#reasons.get(tenant) ?? null;
  }

  #unblock(tenant: string): void {
    const reason = this.#reasons.get(tenant);
    if (reason !== undefined) this.#blocked.remove({ tenant, reason });
    this.#reasons.delete(tenant);
  }
}
