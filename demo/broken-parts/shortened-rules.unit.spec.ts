import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { shortenedRules } from './shortened-rules.ts';

const RULES = readFileSync(join(import.meta.dirname, '../../infra/alerts/gondola.yaml'), 'utf8');

/** Lines of one alert, from its name to its labels. */
function alert(rules: string, name: string): string {
  return new RegExp(`- alert: ${name}\\n([\\s\\S]*?) +labels:`).exec(rules)![1]!;
}

describe('the rules for a test', () => {
  it('have shorter times, and else are the same', () => {
    const rules = shortenedRules(RULES);
    expect(alert(rules, 'GondolaRecordsNotSent')).toContain('oldest_age_seconds) > 10\n        for: 4s');
    expect(alert(rules, 'GondolaCredentialsRefused')).toContain('{cause="credentials"}) > 4\n        for: 2s');
    expect(alert(rules, 'GondolaDeliveriesUnauthorized')).toContain('unauthorized_total[20s])) > 3\n');
    expect(alert(rules, 'GondolaCertificateExpires')).toContain('< 1209600\n        for: 10s');
    expect(alert(rules, 'GondolaAppAway')).toBe(alert(RULES, 'GondolaAppAway'));
    const times = /\bfor: \w+|\[\w+\]|(?<=_age_seconds\S*) > [\d.]+/g;
    expect(rules.replaceAll(times, '')).toBe(RULES.replaceAll(times, ''));
  });
});
