import { call, command, group } from '../command-line/command.ts';
import { CONFIRM, ONE_TENANT, required, TENANT } from '../command-line/inputs.ts';
import { webhookUrlOf } from '../command-line/option-values.ts';
import { isEntry } from '../operations-api/operations-api.ts';
import { requestTo } from '../operations-api/requests.ts';
import { failureReport } from '../output/explain-failure.ts';
import { EXIT, line, shown } from '../output/report.ts';
import { registrationBlocks, registrationVerdict, stateBlocks } from './registration.ts';

export const WEBHOOK = group('webhook', {
  /** Registers the webhook; without `confirm` the app only answers its plan (rule 37). */
  register: command({
    inputs: {
      tenant: ONE_TENANT,
      url: required(
        '--url <url>',
        {
          pt: 'endereço público (https) do webhook, como a plataforma o chamará',
          en: 'public address (https) of the webhook, as the platform will call it',
        },
        webhookUrlOf,
      ),
      confirm: CONFIRM,
    },
    task: call('webhook register', (answer, _given, say) => {
      const { sentence, exit } = registrationVerdict(answer, say);
      const blocks = registrationBlocks(answer, say);
      if (exit === EXIT.done) return shown(answer, [...blocks, line(sentence)]);
      return { json: answer, blocks, notes: [sentence], exit };
    }),
    examples: [
      '--tenant acme --url https://gondola.example.com/webhooks/platform',
      '--tenant acme --url https://gondola.example.com/webhooks/platform --confirm',
    ],
  }),
  /** Shows the registrations of this installation: the platform has no route that shows them. */
  status: command({
    inputs: { tenant: TENANT },
    task:
      ({ tenant }) =>
      async ({ api, say }) => {
        const result = await api.call(requestTo('webhook status', { tenant }));
        if (result.kind !== 'answer') return failureReport(result, say);
        const { registrations } = result.body;
        if (!Array.isArray(registrations) || !registrations.every(isEntry))
          return failureReport({ ...result, kind: 'not-understood', status: 200 }, say);
        const blocks = registrations.flatMap((state) => [...stateBlocks(state, say), line('')]);
        return shown(result.body, blocks.slice(0, -1));
      },
    examples: ['', '--tenant acme --json'],
  }),
});
