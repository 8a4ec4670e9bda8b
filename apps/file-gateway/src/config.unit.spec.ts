import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.ts';

describe('the configuration of file-gateway', () => {
  it('refuses a lease that an upload outlives, together with what is missing', () => {
    expect(() => loadConfig({ LANE_LEASE_MS: '60000' })).toThrow(
      expect.objectContaining({
        problems: ['DATABASE_URL', 'KAFKA_BROKERS', 'TENANTS_FILE', 'LANE_LEASE_MS'].map((where) =>
          expect.objectContaining({ where }),
        ),
      }),
    );
  });
});
