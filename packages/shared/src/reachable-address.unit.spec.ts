import { describe, expect, it } from '@jest/globals';
import { isPublicAddress, reachOf } from './reachable-address.ts';

const reach = (host: string) => reachOf(new URL(`http://${host}/`).hostname);

describe('a host', () => {
  it.each(['localhost', 'erp.localhost', '127.0.0.1', '127.9.9.9', '127.1', '2130706433', '0x7f.0.0.1', '[::1]'])(
    'that is this machine: %s (rule 37)',
    (host) => {
      expect(reach(host)).toBe('machine');
    },
  );

  it.each([
    'erp',
    'erp.local',
    'erp.internal',
    'kubernetes.default.svc.cluster.local',
    'erp.local.',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.10',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[fe80::1]',
    '[fd00::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    '[5f00::1]',
    '[ff02::1]',
    '192.88.99.1',
  ])('that is in this network at most: %s (rule 37)', (host) => {
    expect(reach(host)).toBe('network');
  });

  it.each(['erp.example.com', 'loja.com.br', 'local.com.br', '8.8.8.8', '172.32.0.1', '100.128.0.1', '[2606:4700::1]'])(
    'that may be on the internet: %s',
    (host) => {
      expect(reach(host)).toBe('internet');
    },
  );
});

describe('an address', () => {
  it.each(['8.8.8.8', '2606:4700::1111', '2a00:1450:4001::200e'])('of the internet: %s (rule 31)', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(['', 'example.com', '127.1', 'fe80::1%eth0', '2606:4700::1%0', '::ffff:8.8.8.8', '[2606:4700::1]'])(
    'that is invalid or in another notation: %j (rule 31)',
    (address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );
});
