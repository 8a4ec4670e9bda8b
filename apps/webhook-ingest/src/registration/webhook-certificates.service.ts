import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { registerCertificates } from '@gondola/service-kit/metrics/certificate-gauge';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { MINUTE_MS } from '@gondola/shared/durations';
import { Inject, Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { standingRegistration } from './registration-outcome.ts';
import { RegistrationsRepository } from './registrations.repository.ts';

const EVERY_MS = 10 * MINUTE_MS;
const HANDSHAKE_MS = 10_000;
const HTTPS_PORT = 443;

/**
 * Shows until when the certificate of each registered webhook is valid, by a handshake with its public address: once
 * it has ended, the platform delivers nothing any more. An address that cannot be reached from here keeps the time
 * that was read last.
 */
@Injectable()
export class WebhookCertificates extends RepeatingTask {
  readonly #expiresAt = new Map<string, number>();

  constructor(
    @Inject(RegistrationsRepository) private readonly registrations: Pick<RegistrationsRepository, 'of'>,
    @Inject(TENANTS) private readonly tenants: ReadonlyArray<{ readonly id: string }>,
    registry: Registry,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({ name: 'webhook certificates', everyMs: EVERY_MS, run: () => this.read(), logger });
    registerCertificates(registry, 'webhook', () => this.#expiresAt);
  }

  /** Reads all once. */
  async read(): Promise<void> {
    for (const { id: tenant } of this.tenants) {
      const url = standingRegistration(await this.registrations.of(tenant)).attempt?.url;
      if (url === undefined || !url.startsWith('https:')) continue;
      try {
        this.#expiresAt.set(tenant, await expiryOf(new URL(url)));
      } catch (err) {
        this.logger.info({ tenant, err }, "The certificate of the webhook's public address could not be read");
      }
    }
  }
}

/** End of the validity of the certificate that a host shows, trusted or not, in milliseconds since 1970. */
async function expiryOf({ hostname, port }: URL): Promise<number> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect({
    host,
    port: Number(port || HTTPS_PORT),
    ...(isIP(host) === 0 && { servername: host }),
    // The date is read, and nothing is sent.
    rejectUnauthorized: false,
    timeout: HANDSHAKE_MS,
  });
  socket.on('secureConnect', () => resolve(Date.parse(socket.getPeerCertificate().valid_to)));
  socket.on('timeout', () => reject(new Error('The TLS handshake took too long')));
  socket.on('error', reject);
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}
