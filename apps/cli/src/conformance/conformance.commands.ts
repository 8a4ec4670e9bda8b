import { randomUUID } from 'node:crypto';
import { command, group } from '../command-line/command.ts';
import { CONFIRM, option, required } from '../command-line/inputs.ts';
import { durationMsOf, filledOf, type Read, webhookUrlOf, WrongUsage } from '../command-line/option-values.ts';
import { neededSecret, secretOf } from '../command-line/secrets.adapter.ts';
import { callerOf, deliverTo, listen, reach, waiting } from './others.adapter.ts';
import { EVENT_NAMES, platformChecks } from './platform-checks.ts';
import { receiverChecks } from './receiver-checks.ts';
import { runChecks } from './run-checks.adapter.ts';
import { readStatements } from './statements.adapter.ts';

const DEFAULT_WAIT_MS = 60_000;
/** Calls of a platform that decides at once. */
const CALLS = 67;
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const A_GUID = '11111111-1111-4111-8111-111111111111';

/** Accepts what the pattern takes; the sentence says what would be right. */
function like(pattern: RegExp, right: string): Read<string> {
  return (text, name, say) => {
    if (!pattern.test(text)) throw new WrongUsage(say('notLike', { option: name, value: text, right }));
    return text;
  };
}

const WAIT = { pt: 'espera máxima por resultado (padrão 1m)', en: 'longest wait for an outcome (default 1m)' };
const RUN = {
  junit: option('--junit <file>', { pt: 'arquivo para o XML do JUnit', en: 'file for JUnit’s XML' }),
  waitMs: option('--wait <time>', WAIT, durationMsOf),
  confirm: CONFIRM,
};
const ACCOUNT = { pt: 'contractAccountId da loja de teste', en: 'contractAccountId of the test shop' };
const TARGET = {
  url: required('--url <url>', { pt: 'endereço', en: 'address' }, webhookUrlOf),
  account: required('--account <guid>', ACCOUNT, like(GUID, A_GUID)),
};
const PREFIX_WORDS = { pt: 'começo dos nomes criados', en: 'start of the names that it creates' };
const POLICY_WORDS = { pt: 'política comercial da loja', en: 'commercial policy of the shop' };
const LISTEN_WORDS = { pt: 'endereço local para notificações', en: 'local address for notifications' };
const WEBHOOK_WORDS = { pt: '--listen visto pela plataforma', en: '--listen as the platform sees it' };

export const CONFORMANCE = group('conformance', {
  platform: command({
    about: {
      pt: 'Confere uma plataforma pelas frases do documento, numa loja de teste (senha: GONDOLA_PLATFORM_PASSWORD)',
      en: 'Checks a platform against its document, in a test shop (password: GONDOLA_PLATFORM_PASSWORD)',
    },
    inputs: {
      ...TARGET,
      user: required('--user <user>', { pt: 'usuário da API', en: 'user of the API' }, filledOf),
      prefix: option('--prefix <text>', PREFIX_WORDS, like(/^[\w-]{1,20}$/, 'test-1')),
      policy: option('--policy <guid>', POLICY_WORDS, like(GUID, A_GUID)),
      address: option('--listen <host:port>', LISTEN_WORDS, like(/^.+:\d{1,5}$/, '127.0.0.1:9000')),
      webhookUrl: option('--webhook-url <url>', WEBHOOK_WORDS, webhookUrlOf),
      ...RUN,
    },
    task: ({ url, account, user, address, webhookUrl, waitMs = DEFAULT_WAIT_MS, ...given }, { say }) =>
      runChecks('platform', given, say('planPlatform', { url }), async ({ env, progress }) => {
        const { prefix = `t${Date.now().toString(36)}`, policy = randomUUID() } = given;
        const password = await neededSecret(env, 'GONDOLA_PLATFORM_PASSWORD', say);
        const authToken = (await secretOf(env, 'GONDOLA_WEBHOOK_TOKEN', say)) ?? randomUUID();
        const known = await readStatements();
        await reach(url, say);
        const call = callerOf({ url, account, user, password });
        let calls = 0;
        const ask: typeof call = (...of) => {
          calls += 1;
          progress({ done: calls, total: Math.max(calls, CALLS) });
          return call(...of);
        };
        const { status } = await ask('GET', `/v1/batch/Products/${prefix}-none`);
        if (status === 401 || status === 403) throw new WrongUsage(say('loginRefused', { url, status }));
        const receiver = address === undefined ? null : await listen(address, `${prefix}-last`, say);
        const own = { originType: 'Api_call', originData: 'gondola', authType: 'Bearer', authToken };
        const webhook = receiver && { ...own, url: webhookUrl ?? `http://${address}/`, eventTypes: EVENT_NAMES };
        const notes = () => receiver?.notes ?? [];
        const checks = await platformChecks({ prefix, policy, account, webhook, ask, until: waiting(waitMs), notes });
        const asked = new Set(checks.map(({ section, statement }) => `${section}: ${statement}`));
        return { checks, unchecked: known.filter((each) => !asked.has(each)), close: async () => receiver?.close() };
      }),
    examples: [`--url http://127.0.0.1:8090 --account ${A_GUID} --user erp --confirm --junit platform.xml`],
  }),
  receiver: command({
    about: {
      pt: 'Confere um receptor de webhook de teste como a plataforma o chamaria (token: GONDOLA_WEBHOOK_TOKEN)',
      en: 'Checks a webhook’s receiver in a test installation as a platform calls it (token: GONDOLA_WEBHOOK_TOKEN)',
    },
    inputs: { ...TARGET, ...RUN },
    task: ({ url, account, ...given }, { say }) =>
      runChecks('receiver', given, say('planReceiver', { url }), async ({ env }) => {
        const token = await neededSecret(env, 'GONDOLA_WEBHOOK_TOKEN', say);
        const otherToken = await secretOf(env, 'GONDOLA_OTHER_WEBHOOK_TOKEN', say);
        await reach(url, say);
        const deliver = deliverTo(url);
        return { checks: receiverChecks({ account, token, otherToken, run: randomUUID(), deliver }, say) };
      }),
    examples: [`--url http://127.0.0.1:8081/webhooks/platform --account ${A_GUID} --confirm`],
  }),
  erp: command({
    about: {
      pt: 'Confere consumidor e produtor de um ERP pelo contrato, em tópicos próprios (Kafka: KAFKA_BROKERS …)',
      en: 'Checks an ERP’s consumer and producer against the contract, in topics of its own (Kafka: KAFKA_BROKERS …)',
    },
    inputs: {
      prefix: required('--prefix <text>', PREFIX_WORDS, like(/^[\w.-]{1,100}$/, 'test.')),
      group: required('--group <name>', { pt: 'grupo de consumo do ERP', en: 'consumer group of the ERP' }, filledOf),
      tenant: option('--tenant <id>', { pt: 'tenant (padrão acme)', en: 'tenant (default acme)' }, filledOf),
      ...RUN,
    },
    task: ({ prefix, group: name, tenant = 'acme', waitMs = DEFAULT_WAIT_MS, ...given }, { say }) =>
      runChecks('erp', given, say('planErp', { prefix }), async ({ env }) => {
        // Only this command loads Kafka's client and the check of records, which have to be built.
        const { prepareErp } = await import('./erp.adapter.ts').catch((error: NodeJS.ErrnoException) => {
          throw error.code === 'ERR_MODULE_NOT_FOUND' ? new WrongUsage(say('sharedNotBuilt')) : error;
        });
        return prepareErp({ env, prefix, group: name, tenant, until: waiting(waitMs), say });
      }),
    examples: ['--prefix test. --group erp --confirm --junit erp.xml'],
  }),
});
