import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, orders } from '../api/clients.ts';
import type { components } from '../api/order-command-handler.d.ts';
import { useWords } from '../texts/words.ts';

interface Shown {
  tenant: string;
  commands: ReadonlyArray<components['schemas']['OpenOrderCommand']>;
  mayAct: boolean;
  onDone: () => void;
}

/** The open commands of an order, and why each waits. */
export function OpenCommands({ tenant, commands, mayAct, onDone }: Shown): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const withdraw = (commandId: string) =>
    answerOf(orders.POST('/api/commands/{commandId}/withdraw', { params: { path: { commandId } }, body: { tenant } }));
  return (
    <Card title={t('order.openCommands')}>
      {commands.length === 0 && <Empty>{t('order.noOpenCommands')}</Empty>}
      <ul>
        {commands.map(({ commandId, command, receivedAt, waits }) => (
          <li key={commandId}>
            <p>
              <strong>{word('command', command)}</strong> · {t('order.commandSince')} <Moment at={receivedAt} />
            </p>
            <p className="muted">
              <Text value={t('waits.label', { what: t(`waits.${waits.for}`, { cause: waits.cause ?? '' }) })} />
            </p>
            {mayAct && (
              <Confirm
                label={t('order.withdraw')}
                title={t('order.withdrawTitle', { command: word('command', command) })}
                run={() => withdraw(commandId)}
                onDone={onDone}
              >
                <p>{t('order.withdrawWhat')}</p>
              </Confirm>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
