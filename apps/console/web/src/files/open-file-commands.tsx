import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../api/file-gateway.d.ts';
import { useWords } from '../texts/words.ts';

/** File commands without an outcome, and why each waits. */
export function OpenFileCommands({
  commands,
}: {
  commands: ReadonlyArray<components['schemas']['OpenFileCommand']>;
}): ReactNode {
  const { t } = useTranslation();
  const { named } = useWords();
  return (
    <ul>
      {commands.map(({ commandId, command, receivedAt, blocked, waitingSince }) => {
        const state = () => {
          if (blocked !== null) return t('files.blocked', { cause: blocked });
          return waitingSince === null ? t('files.underWay') : t('files.waitsForSku');
        };
        return (
          <li key={commandId}>
            <strong>
              <Text value={named(`files.command.${command}`, command)} />
            </strong>{' '}
            · {t('files.since')} <Moment at={receivedAt} /> · <bdi>{state()}</bdi>
          </li>
        );
      })}
    </ul>
  );
}
