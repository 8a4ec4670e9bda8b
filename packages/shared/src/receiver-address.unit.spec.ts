import { describe, expect, it } from '@jest/globals';
import { isReceiverAddress, receiverProblem } from './receiver-address.ts';

describe('the address of another receiver', () => {
  it.each([
    ['https://old.example.com/hooks?shop=1', false],
    ['https://8.8.8.8:8443/', false],
    ['http://old:8080', true],
    ['http://10.1.2.3', true],
    ['https://[fd12::1]/', true],
    ['http://localhost:3000', true],
  ])('%s is taken (private: %s)', (url, isPrivate) => {
    expect(receiverProblem({ url, private: isPrivate })).toBeNull();
  });

  it.each([
    ['old.example.com', false, 'malformed'],
    ['file:///etc/passwd', true, 'malformed'],
    ['https://a:b@old.example.com', false, 'user-info'],
    ['http://old.example.com', false, 'not-https'],
    ['https://192.168.0.4', false, 'not-public'],
    ['https://0x7f000001', false, 'not-public'],
    ['https://[::ffff:10.0.0.1]', false, 'not-public'],
    ['https://erp.local', false, 'not-public'],
    ['http://169.254.169.254', true, 'not-private'],
    ['http://[fe80::1]', true, 'not-private'],
    ['http://[fd00:ec2::254]', true, 'not-private'],
    ['http://0.0.0.0', true, 'not-private'],
    ['https://8.8.8.8', true, 'not-private'],
  ] as const)('%s is refused (private: %s): %s', (url, isPrivate, problem) => {
    expect(receiverProblem({ url, private: isPrivate })).toBe(problem);
  });

  it('is judged once more by what its name has: one that moves to a metadata address is refused', () => {
    expect(isReceiverAddress('8.8.8.8', false)).toBe(true);
    expect(isReceiverAddress('10.0.0.1', false)).toBe(false);
    expect(isReceiverAddress('10.0.0.1', true)).toBe(true);
    for (const address of ['8.8.8.8', '169.254.169.254', '100.100.100.200', 'fe80::1%eth0', '::ffff:10.0.0.1', '']) {
      expect([address, isReceiverAddress(address, true)]).toEqual([address, false]);
    }
  });
});
