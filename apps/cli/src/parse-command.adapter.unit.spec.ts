import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { ApiRequest } from './operations-api/operations-api.ts';
import { sayIn } from './texts/texts.ts';
import { parseCommand } from './parse-command.adapter.ts';

const ID = 'gondola.file-gateway/erp.files.commands.v1/0/3';
const LETTER = `/api/dead-letters/${encodeURIComponent(ID)}`;

function words(line: string): string[] {
  return line.split(' ').filter((word) => word !== '');
}

/** The first calls of a command line, with method, app, path, query and body; no app answers them. */
async function callsOf(line: string): Promise<string[]> {
  const parsed = parseCommand(words(line), 'en');
  if (parsed.kind !== 'run') return [JSON.stringify(parsed)];
  const requests: ApiRequest[] = [];
  const api = {
    call: async (request: ApiRequest) => {
      requests.push(request);
      const source = { kind: 'default' } as const;
      return { kind: 'guessed', request, address: { kind: 'address', url: 'http://127.0.0.1', source } } as const;
    },
  };
  const uploads = { find: async () => null, send: () => Promise.reject(new Error('Nothing is sent')) };
  await parsed.task({ api, uploads, progress: () => {}, env: {}, say: sayIn('en') });
  return requests.map(({ method, app, path, query = {}, body }) => {
    const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
    return `${method} ${app} ${path}${search}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;
  });
}

function problemOf(line: string): string {
  const parsed = parseCommand(words(line), 'en');
  return parsed.kind === 'wrong-usage' ? parsed.message : JSON.stringify(parsed);
}

/** A group and all groups and commands in it, as the help lists them. */
function linesIn(group: string): string[] {
  const help = parseCommand([...words(group), '--help'], 'en');
  const [, list = ''] = /Commands:\n([\s\S]*?)(?:\n\n|$)/.exec(help.kind === 'help' ? help.text : '') ?? [];
  const names = Array.from(list.matchAll(/^ {2}([a-z][\w-]*)/gm), ([, name = '']) => `${group} ${name}`.trim());
  return [group, ...names.flatMap(linesIn)];
}

const LINES = linesIn('');
const COMMANDS = LINES.filter((line) => linesIn(line).length === 1);

describe('parseCommand', () => {
  it.each<[string, string[]]>([
    [
      'webhook register --tenant acme --url https://g.example.com/webhooks/platform',
      [
        'POST webhook-ingest /api/webhook-registration {"tenant":"acme","url":"https://g.example.com/webhooks/platform"}',
      ],
    ],
    [
      'webhook register --confirm --url=https://g.example.com/w --tenant=acme',
      [
        'POST webhook-ingest /api/webhook-registration {"tenant":"acme","url":"https://g.example.com/w","confirm":true}',
      ],
    ],
    [
      'catalog explain 4711 --tenant acme',
      ['GET catalog-publisher /api/products/4711/explanation?tenant=acme&language=en'],
    ],
    ['console sessions list', ['GET console /api/sessions']],
    ['console sessions end 17', ['POST console /api/sessions/17/end {}']],
    ['console sessions end 17 --all', ['POST console /api/sessions/17/end {"all":true}']],
    ['catalog loads --tenant acme', ['GET catalog-publisher /api/loads?tenant=acme&limit=50']],
    ['catalog loads a/b', ['GET catalog-publisher /api/loads/a%2Fb']],
    ['catalog resend --product 4711', ['POST catalog-publisher /api/resends {"product":"4711"}']],
    [
      'catalog resend --everything --tenant acme',
      ['POST catalog-publisher /api/resends?tenant=acme {"everything":true}'],
    ],
    ['webhook status', ['GET webhook-ingest /api/webhook-registration']],
    ['webhook status --tenant acme', ['GET webhook-ingest /api/webhook-registration?tenant=acme']],
    ['notifications list', ['GET webhook-ingest /api/notifications?limit=50']],
    [
      'notifications list --tenant acme --order 100234 --operation o-1 --event Order_Updated --entity Order --state parked --limit 150 --before 9',
      [
        'GET webhook-ingest /api/notifications?tenant=acme&orderNumber=100234&operationId=o-1&eventType=Order_Updated&entity=Order&state=parked&before=9&limit=150',
      ],
    ],
    ['notifications show 4711', ['GET webhook-ingest /api/notifications/4711']],
    ['notifications show 4711 --body', ['GET webhook-ingest /api/notifications/4711?body=true']],
    [
      'notifications quarantine --tenant acme --reason NOT_JSON --state open',
      ['GET webhook-ingest /api/quarantine?tenant=acme&reason=NOT_JSON&state=open&limit=50'],
    ],
    ['notifications quarantine 17', ['GET webhook-ingest /api/quarantine/17']],
    ['notifications quarantine 17 --body', ['GET webhook-ingest /api/quarantine/17?body=true']],
    ['notifications reprocess 17', ['POST webhook-ingest /api/quarantine/17/reprocess {}']],
    [
      'notifications reprocess --tenant acme --reason NOT_STORABLE',
      ['GET webhook-ingest /api/quarantine?tenant=acme&reason=NOT_STORABLE&state=open&limit=200'],
    ],
    [
      'notifications reprocess --tenant acme --confirm',
      ['POST webhook-ingest /api/quarantine/reprocess {"tenant":"acme","limit":100,"confirm":true}'],
    ],
    ['notifications discard 17 --note teste', ['POST webhook-ingest /api/quarantine/17/discard {"note":"teste"}']],
    [
      'notifications erase --tenant acme --order 100234',
      ['GET webhook-ingest /api/notifications?tenant=acme&orderNumber=100234&limit=200'],
    ],
    [
      'notifications erase --tenant acme --order 100234 --confirm',
      ['POST webhook-ingest /api/erasures {"tenant":"acme","orderNumber":100234,"confirm":true}'],
    ],
    ['orders list --attention', ['GET order-command-handler /api/orders?attention=true&limit=50']],
    [
      'orders recover --tenant acme --from 100200 --to 100300',
      ['POST order-command-handler /api/recoveries {"tenant":"acme","from":100200,"to":100300}'],
    ],
    ['orders recoveries --tenant acme', ['GET order-command-handler /api/recoveries?tenant=acme']],
    [
      'audit --month 2026-11 --shop acme --again',
      ['POST order-command-handler /api/audits {"tenant":"acme","month":"2026-11","again":true}'],
    ],
    ['audit month --month 2026-11', ['POST order-command-handler /api/audits {"month":"2026-11"}']],
    ['audit list --shop acme', ['GET order-command-handler /api/audits?tenant=acme']],
    ['audit show 7', ['GET order-command-handler /api/audits/7']],
    ['audit stop 7', ['POST order-command-handler /api/audits/7/stop {}']],
    ['audit resume 7', ['POST order-command-handler /api/audits/7/resume {}']],
    ['orders recoveries 7', ['GET order-command-handler /api/recoveries/7']],
    [
      'dead-letters list',
      [
        'GET catalog-publisher /api/dead-letters?limit=50',
        'GET order-command-handler /api/dead-letters?limit=50',
        'GET file-gateway /api/dead-letters?limit=50',
      ],
    ],
    ['dead-letters list --app catalog-publisher --limit 1', ['GET catalog-publisher /api/dead-letters?limit=1']],
    [`dead-letters show ${ID} --app file-gateway`, [`GET file-gateway ${LETTER}`]],
    [`dead-letters show ${ID} --app file-gateway --body`, [`GET file-gateway ${LETTER}?body=true`]],
    [`dead-letters redrive ${ID} --app file-gateway`, [`POST file-gateway ${LETTER}/redrive {}`]],
    [
      'dead-letters redrive --app file-gateway --reason NOT_JSON --topic erp.files.commands.v1',
      ['POST file-gateway /api/jobs/preview {"action":"redrive","reason":"NOT_JSON","topic":"erp.files.commands.v1"}'],
    ],
    [
      'dead-letters redrive --app file-gateway --tenant acme --per-second 10 --confirm --expected 7',
      ['POST file-gateway /api/jobs {"action":"redrive","tenant":"acme","perSecond":10,"expected":7,"confirm":true}'],
    ],
    ['parked list --app webhook-ingest --topic t', ['GET webhook-ingest /api/parked?topic=t&limit=50']],
    ['parked release 17 --app file-gateway', ['POST file-gateway /api/parked/17/release {}']],
    ['parked release --app file-gateway --tenant acme --topic t', ['GET file-gateway /api/parked/groups?tenant=acme']],
    [
      'parked release --app file-gateway --tenant acme --reason INVALID_TIMESTAMP --confirm',
      ['POST file-gateway /api/parked/release {"tenant":"acme","reason":"INVALID_TIMESTAMP","confirm":true}'],
    ],
    [
      'jobs start --app webhook-ingest --action discard --note teste --from 2026-11-26T08:00:00Z --confirm',
      [
        'POST webhook-ingest /api/jobs {"action":"discard","from":"2026-11-26T08:00:00Z","note":"teste","confirm":true}',
      ],
    ],
    ['jobs list --app catalog-publisher', ['GET catalog-publisher /api/jobs?limit=50']],
    ['jobs stop 3 --app webhook-ingest', ['POST webhook-ingest /api/jobs/3/stop {}']],
    [
      'replay --topic erp.orders.events --since 2026-11-26T08:00:00Z --order 100042 --to erp.again --per-second 50',
      [
        'POST order-command-handler /api/replays {"topic":"erp.orders.events.v1","since":"2026-11-26T08:00:00Z","to":"erp.again","orderNumber":"100042","perSecond":50}',
      ],
    ],
    [
      'replay start --topic catalog.skus.v1 --since 2026-11-26T08:00:00Z --tenant acme',
      [
        'POST catalog-publisher /api/replays {"topic":"catalog.skus.v1","since":"2026-11-26T08:00:00Z","tenant":"acme"}',
      ],
    ],
    ['replay stop 3 --app file-gateway --tenant acme', ['POST file-gateway /api/replays/3/stop?tenant=acme {}']],
    ['replay resume 3 --app file-gateway', ['POST file-gateway /api/replays/3/resume {}']],
  ])('calls what it was asked for: gondola %s', async (line, calls) => {
    expect(await callsOf(line)).toEqual(calls);
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
    ['catalog preflight f.jsonl --kind sku', /--kind cannot be "sku"; values: product, brand/],
    ['catalog preflight', /<file> is missing/],
    ['catalog load', /<file> is missing/],
    ['catalog resend', /--product, --category or --everything/],
    ['catalog resend --product 1 --everything', /only one of them/],
    ['webhook status --confirm', /no option --confirm/],
    ['webhook register --tenant acme', /--url <url> is missing/],
    ['webhook register --tenant acme --url gondola', /--url cannot be "gondola".*such as https/],
    ['webhook register --url https://g.example.com --tenant', /--tenant <id> needs a value/],
    ['notifications show', /<id> is missing/],
    ['notifications show 1 2', /too many arguments/],
    ['notifications list --order 12a', /--order cannot be "12a".*digits/],
    ['notifications list --state open', /--state cannot be "open"; values: waiting, sent, parked, unpublished, untold/],
    ['notifications list --limit 0', /--limit cannot be "0".*1 to 10000/],
    ['notifications list --limit many', /--limit cannot be "many"/],
    ['notifications list --limit 10001', /--limit cannot be "10001"/],
    ['notifications quarantine --body', /--body shows the content of one entry/],
    ['notifications reprocess 17 --reason NOT_JSON', /With an id, --reason filters nothing/],
    ['notifications quarantine 17 --tenant acme', /With an id, --tenant filters nothing/],
    ['audit', /gondola audit is incomplete|--month/],
    ['audit --month 2026-11 7', /too many|argument/i],
    ['orders recover --from 1', /--to <number> is missing/],
    ['orders recover --from 1a --to 2', /--from cannot be "1a".*digits/],
    ['notifications discard 17', /--note <text> is missing/],
    ['notifications erase --tenant acme', /--order <number> is missing/],
    [`dead-letters redrive ${ID}`, /--app <app> is missing/],
    [`dead-letters redrive ${ID} --app file-gateway --reason X`, /With an id, --reason filters nothing/],
    ['jobs start --app webhook-ingest', /--action <action> is missing/],
    ['replay --topic erp.orders.events', /--since <time> is missing/],
    [
      'replay --topic erp.orders.commands --since 2026-11-26T08:00:00Z',
      /--topic cannot be "erp.orders.commands"; values: erp/,
    ],
    ['replay --topic erp.orders.events --since 2026-11-26T08:00:00Z --order 12a', /--order cannot be "12a"/],
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

  it.each(COMMANDS)('understands each example in the help of: gondola %s', (line) => {
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

  it.each(LINES)('explains itself in both languages: gondola %s', (line) => {
    const [portuguese, english] = (['pt-BR', 'en'] as const).map((language) =>
      parseCommand([...words(line), '--help'], language),
    );
    if (portuguese?.kind !== 'help' || english?.kind !== 'help') throw new Error('No help');
    expect(portuguese.text).toContain('Uso: gondola');
    expect(english.text).toContain('Usage: gondola');
    expect(portuguese.text).not.toMatch(/\b(usage|options?|commands:|arguments?|default|display)/i);
    expect(portuguese.text).toMatch(/Comandos:|Exemplos:\n {2}gondola /);
  });

  it('is listed whole in the README', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    expect(COMMANDS.length).toBeGreaterThan(40);
    expect(COMMANDS.filter((name) => !readme.includes(`\`${name}`))).toEqual([]);
  });
});
