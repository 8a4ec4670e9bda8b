import { act, command, group, list } from '../command-line/command.ts';
import { argument, flag } from '../command-line/inputs.ts';
import { filledOf } from '../command-line/option-values.ts';

/** Who is signed in to the console. */
export const CONSOLE_SESSIONS = group('console sessions', {
  list: command({
    inputs: {},
    task: list('console sessions list', {
      columns: {
        id: 'colId',
        operator: { pt: 'OPERADOR', en: 'OPERATOR' },
        method: { pt: 'POR', en: 'BY' },
        createdAt: 'colSince',
        seenAt: { pt: 'ÚLTIMO USO', en: 'LAST USED' },
        address: { pt: 'ENDEREÇO', en: 'ADDRESS' },
        subject: { pt: 'CONTA', en: 'ACCOUNT' },
      },
      flexible: 'operator',
    }),
    examples: ['', '--json'],
  }),
  end: command({
    inputs: {
      id: argument('<id>', filledOf),
      all: flag('--all', {
        pt: 'encerra todas as sessões do mesmo operador',
        en: 'ends all sessions of the same operator',
      }),
    },
    task: act('console sessions end', { pt: 'Sessões encerradas: {ended}.', en: 'Sessions ended: {ended}.' }),
    examples: ['17', '17 --all'],
  }),
});
