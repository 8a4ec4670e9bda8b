import { act, call, command, group } from '../command-line/command.ts';
import { argument, flag } from '../command-line/inputs.ts';
import { filledOf } from '../command-line/option-values.ts';
import { entriesOf } from '../operations-api/operations-api.ts';
import { tableOrNone } from '../output/blocks.ts';
import { shown } from '../output/report.ts';

const COLUMNS = {
  id: 'colId',
  operator: 'colOperator',
  method: 'colMethod',
  createdAt: 'colSince',
  seenAt: 'colUsed',
  address: 'colAddress',
  subject: 'colAccount',
} as const;

/** Who is signed in to the console. */
export const CONSOLE_SESSIONS = group('console sessions', {
  list: command({
    inputs: {},
    task: call('console sessions list', (answer, _given, say) => {
      const entries = entriesOf(answer['entries']);
      return shown({ entries }, [tableOrNone(say, COLUMNS, entries, 'operator')]);
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
