import { Registry } from 'prom-client';
import { collectedGauge } from './collected-gauge.ts';

const MS_PER_SECOND = 1_000;

/** Shows until when the certificates of one use are valid; the reader gives milliseconds since 1970 by tenant. */
export function registerCertificates(
  registry: Registry,
  certificate: 'platform' | 'webhook',
  read: () => ReadonlyMap<string, number>,
): void {
  const name = 'gondola_certificate_expiry_timestamp_seconds';
  const help =
    'End of the validity of the certificate that the platform, or the public address of the webhook, showed last, in seconds since 1970';
  collectedGauge(registry, { name, help, labelNames: ['tenant', 'certificate'] }, async () =>
    [...read()].map(([tenant, expiresAt]) => ({ labels: { tenant, certificate }, value: expiresAt / MS_PER_SECOND })),
  );
}
