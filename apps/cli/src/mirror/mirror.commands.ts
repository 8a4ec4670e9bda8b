import { act, command, group, list } from '../command-line/command.ts';
import { ONE_TENANT, TENANT } from '../command-line/inputs.ts';

/** The other receivers to which webhook-ingest passes notifications on. */
export const MIRROR = group('mirror', {
  show: command({
    inputs: { tenant: TENANT },
    task: list('mirror show', {
      columns: {
        tenant: 'colTenant',
        receiver: { pt: 'RECEPTOR', en: 'RECEIVER' },
        waiting: { pt: 'ESPERAM', en: 'WAITING' },
        oldestAt: { pt: 'A MAIS ANTIGA', en: 'OLDEST' },
        pausedAt: { pt: 'PAUSADO', en: 'PAUSED' },
        failingSince: { pt: 'FALHA DESDE', en: 'FAILING SINCE' },
        failure: { pt: 'FALHA', en: 'FAILURE' },
      },
      flexible: 'receiver',
    }),
    examples: ['', '--tenant acme --json'],
  }),
  pause: command({
    inputs: { tenant: ONE_TENANT },
    task: act('mirror pause', {
      pt: 'Pausado o receptor de {tenant}; {waiting} notificações esperam.',
      en: 'The receiver of {tenant} is paused; {waiting} notifications wait.',
    }),
    examples: ['--tenant acme'],
  }),
  resume: command({
    inputs: { tenant: ONE_TENANT },
    task: act('mirror resume', {
      pt: 'Retomado o receptor de {tenant}; {waiting} notificações esperam e são enviadas agora.',
      en: 'The receiver of {tenant} is resumed; {waiting} notifications wait and are sent now.',
    }),
    examples: ['--tenant acme'],
  }),
});
