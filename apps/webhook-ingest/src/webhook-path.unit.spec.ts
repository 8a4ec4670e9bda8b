import { describe, expect, it } from '@jest/globals';
import { webhookPath } from './webhook-path.ts';

describe('the path of the webhook', () => {
  it.each(['/webhooks/platform', '/webhooks/platform/', '/webhooks/platform?a=b/c', '/webhooks/%70latform#x'])(
    'names no tenant: %s',
    (url) => {
      expect(webhookPath(url)).toEqual({ tenant: null });
    },
  );

  it.each([
    '/webhooks/platform/acme',
    '/webhooks/platform/acme/',
    '/webhooks/platform/acme?a=b',
    '/webhooks/platform/%61cme',
  ])('names a tenant: %s', (url) => {
    expect(webhookPath(url)).toEqual({ tenant: 'acme' });
  });

  it.each([
    '',
    '*',
    '/',
    '/webhooks',
    '/webhooks/platforms',
    '/webhooks/platform//',
    '/webhooks/platform//acme',
    '/webhooks/platform/acme//',
    '/webhooks/platform/acme/orders',
    '/webhooks/platform/%2F',
    '/webhooks/platform/%',
    '/Webhooks/platform',
  ])('is another one: %s', (url) => {
    expect(webhookPath(url)).toBeNull();
  });
});
