import { describe, expect, it } from '@jest/globals';
import type { Action } from '../domain/action.ts';
import { parseCommand } from './parse-command.ts';

const ID = 'gondola.file-gateway/erp.files.commands.v1/0/3';

function words(line: string): string[] {
  return line.split(' ').filter((word) => word !== '');
}

function actionOf(line: string): Action | string {
  const parsed = parseCommand(words(line), 'en');
  return parsed.kind === 'run' ? parsed.action : JSON.stringify(parsed);
}

function problemOf(line: string): string {
  const parsed = parseCommand(words(line), 'en');
  return parsed.kind === 'wrong-usage' ? parsed.message : JSON.stringify(parsed);
}

describe('parseCommand', () => {
  it.each<[string, Action]>([
    [
      'webhook register --tenant acme --url https://g.example.com/webhooks/platform',
      { kind: 'webhook-register', tenant: 'acme', url: 'https://g.example.com/webhooks/platform', confirm: false },
    ],
    [
      'webhook register --confirm --url=https://g.example.com/w --tenant=acme',
      { kind: 'webhook-register', tenant: 'acme', url: 'https://g.example.com/w', confirm: true },
    ],
    ['webhook status', { kind: 'webhook-status', tenant: undefined }],
    ['webhook status --tenant acme', { kind: 'webhook-status', tenant: 'acme' }],
    ['notifications list', { kind: 'notifications-list', filters: {}, limit: 50 }],
    [
      'notifications list --tenant acme --order 100234 --operation o-1 --event Order_Updated --entity Order --state parked --limit 500 --before 9',
      {
        kind: 'notifications-list',
        filters: {
          tenant: 'acme',
          orderNumber: '100234',
          operationId: 'o-1',
          eventType: 'Order_Updated',
          entity: 'Order',
          state: 'parked',
          before: '9',
        },
        limit: 500,
      },
    ],
    ['notifications show 4711', { kind: 'notifications-show', id: '4711', body: false }],
    ['notifications show 4711 --body', { kind: 'notifications-show', id: '4711', body: true }],
    [
      'notifications quarantine --tenant acme --reason NOT_JSON --state open',
      { kind: 'quarantine-list', filters: { tenant: 'acme', reason: 'NOT_JSON', state: 'open' }, limit: 50 },
    ],
    ['notifications quarantine 17 --body', { kind: 'quarantine-show', id: '17', body: true }],
    ['notifications reprocess 17', { kind: 'quarantine-reprocess', id: '17' }],
    ['notifications discard 17 --note teste', { kind: 'quarantine-discard', id: '17', note: 'teste' }],
    [
      'notifications erase --tenant acme --order 100234',
      { kind: 'order-erase', tenant: 'acme', orderNumber: '100234', confirm: false },
    ],
    [
      'notifications erase --tenant acme --order 100234 --confirm',
      { kind: 'order-erase', tenant: 'acme', orderNumber: '100234', confirm: true },
    ],
    ['dead-letters list', { kind: 'dead-letters-list', app: undefined, limit: 50 }],
    [
      'dead-letters list --app catalog-publisher --limit 1',
      { kind: 'dead-letters-list', app: 'catalog-publisher', limit: 1 },
    ],
    [
      `dead-letters show ${ID} --app file-gateway`,
      { kind: 'dead-letter-show', app: 'file-gateway', id: ID, body: false },
    ],
    [`dead-letters redrive ${ID} --app file-gateway`, { kind: 'dead-letter-redrive', app: 'file-gateway', id: ID }],
  ])('reads: %s', (line, action) => {
    expect(actionOf(line)).toEqual(action);
  });

  it('takes the options of every command before and after its name', () => {
    const options = { json: true, apiUrl: 'http://127.0.0.1:9' };
    expect(parseCommand(words('--json --api-url http://127.0.0.1:9 webhook status'), 'en')).toMatchObject({ options });
    expect(parseCommand(words('webhook status --json --api-url http://127.0.0.1:9'), 'en')).toMatchObject({ options });
  });

  it.each([
    ['', /command is missing; see gondola --help/],
    ['notifications', /missing; see gondola notifications --help/],
    ['notify', /no command notify/],
    ['webhook remove', /no command remove/],
    ['webhook status --confirm', /no option --confirm/],
    ['webhook register --tenant acme', /--url <url> is missing/],
    ['webhook register --tenant acme --url gondola', /--url cannot be "gondola".*such as https/],
    ['webhook register --url https://g.example.com --tenant', /--tenant <id> needs a value/],
    ['notifications show', /<id> is missing/],
    ['notifications show 1 2', /too many arguments/],
    ['notifications list --order 12a', /--order cannot be "12a".*digits/],
    ['notifications list --state open', /--state cannot be "open"; values: waiting, sent, parked, untold/],
    ['notifications list --limit 0', /--limit cannot be "0".*1 to 10000/],
    ['notifications list --limit many', /--limit cannot be "many"/],
    ['notifications list --limit 10001', /--limit cannot be "10001"/],
    ['notifications quarantine --body', /--body shows the content of one entry/],
    ['notifications quarantine 17 --tenant acme', /With an id, --tenant filters nothing/],
    ['notifications discard 17', /--note <text> is missing/],
    ['notifications erase --tenant acme', /--order <number> is missing/],
    [`dead-letters redrive ${ID}`, /--app <app> is missing/],
    [`dead-letters redrive ${ID} --app webhook-ingest`, /--app cannot be "webhook-ingest"; values: catalog-publisher/],
    ['dead-letters list --api-url http://127.0.0.1:9', /one app only; say which with --app/],
    ['webhook status --lang fr', /--lang cannot be "fr"; values: pt-BR, en/],
  ])('says in one sentence what is wrong with: gondola %s', (line, sentence) => {
    expect(problemOf(line)).toMatch(sentence);
    expect(problemOf(line)).not.toMatch(/[\n{]/);
  });

  it('refuses a note that says nothing', () => {
    const parsed = parseCommand(['notifications', 'discard', '17', '--note', ' '], 'pt-BR');
    expect(parsed).toEqual({ kind: 'wrong-usage', message: '--note não pode ser vazio.' });
  });

  it.each([
    'webhook register',
    'webhook status',
    'notifications list',
    'notifications show',
    'notifications quarantine',
    'notifications reprocess',
    'notifications discard',
    'notifications erase',
    'dead-letters list',
    'dead-letters show',
    'dead-letters redrive',
  ])('understands each example in the help of: gondola %s', (line) => {
    const help = parseCommand([...words(line), '--help'], 'en');
    const text = help.kind === 'help' ? help.text : '';
    const examples = Array.from(text.matchAll(/^ {2}gondola (.*)$/gm), ([, example = '']) => example);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const args = Array.from(example.matchAll(/"([^"]*)"|\S+/g), ([whole, quoted]) => quoted ?? whole);
      expect(parseCommand(args, 'en')).toMatchObject({ kind: 'run' });
      expect(example.startsWith(line)).toBe(true);
    }
  });

  it.each([
    '--help',
    'webhook --help',
    'notifications --help',
    'dead-letters --help',
    'webhook register --help',
    'webhook status -h',
    'notifications list --help',
    'notifications show --help',
    'notifications quarantine --help',
    'notifications reprocess --help',
    'notifications discard --help',
    'notifications erase --help',
    'dead-letters list --help',
    'dead-letters show --help',
    'dead-letters redrive --help',
  ])('explains itself in both languages: gondola %s', (line) => {
    const [portuguese, english] = (['pt-BR', 'en'] as const).map((language) => parseCommand(words(line), language));
    if (portuguese?.kind !== 'help' || english?.kind !== 'help') throw new Error('No help');
    expect(portuguese.text).toContain('Uso: gondola');
    expect(english.text).toContain('Usage: gondola');
    expect(portuguese.text).not.toMatch(/\b(usage|options?|commands:|arguments?|default|display)/i);
    expect(portuguese.text).toMatch(/Comandos:|Exemplos:\n {2}gondola /);
  });
});
