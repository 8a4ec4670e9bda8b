import { describe, expect, it } from '@jest/globals';
import { configGroup, type Environment, readConfig } from './config.ts';
import { requiredText } from './config-shapes.ts';
import { lanesShape, lanesWithUploadsShape } from './lanes-config.ts';

const readLanes = (env: Environment) => readConfig({ times: lanesShape }, env).times;
const readWithUploads = (env: Environment) => readConfig({ times: lanesWithUploadsShape }, env).times;

describe('the times of an app with lanes', () => {
  it('have defaults by which a lease outlives every call', () => {
    const commandRetentionMs = 90 * 24 * 3_600_000;
    const times = { leaseMs: 60_000, platformTimeoutMs: 30_000, lostAnswerMs: 5_000, commandRetentionMs };
    expect(readLanes({})).toEqual(times);
    expect(readWithUploads({})).toEqual({ ...times, leaseMs: 240_000, uploadTimeoutMs: 180_000 });
  });

  it('take a lease that is just longer than the longest call', () => {
    expect(readLanes({ LANE_LEASE_MS: '2001', PLATFORM_TIMEOUT_MS: '2000' }).leaseMs).toBe(2_001);
    expect(readWithUploads({ LANE_LEASE_MS: '180001' }).leaseMs).toBe(180_001);
  });

  it.each([
    ['the call', readLanes, { LANE_LEASE_MS: '30000' }, 'PLATFORM_TIMEOUT_MS (30000), given 30000'],
    ['a longer call', readLanes, { PLATFORM_TIMEOUT_MS: '90000' }, 'PLATFORM_TIMEOUT_MS (90000), given 60000'],
    ['the upload', readWithUploads, { LANE_LEASE_MS: '60000' }, 'PLATFORM_UPLOAD_TIMEOUT_MS (180000), given 60000'],
  ])('refuse a lease that does not outlive %s, and name both values', (_name, read, env: Environment, text) => {
    expect(() => read(env)).toThrow(`LANE_LEASE_MS: maior que`);
    expect(() => read(env)).toThrow(`more than ${text}`);
  });

  it('report a short lease together with the other problems, each by its variable', () => {
    const other = configGroup({ SPOOL_DIR: requiredText('pasta / folder') }, (env) => env);
    const read = () =>
      readConfig({ times: lanesWithUploadsShape, other }, { LANE_LEASE_MS: '60000', LOST_ANSWER_MS: 'soon' });
    expect(read).toThrow(
      expect.objectContaining({
        problems: [
          expect.objectContaining({ where: 'LANE_LEASE_MS' }),
          expect.objectContaining({ where: 'LOST_ANSWER_MS' }),
          expect.objectContaining({ where: 'SPOOL_DIR' }),
        ],
      }),
    );
  });
});
