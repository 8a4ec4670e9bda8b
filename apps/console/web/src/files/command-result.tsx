import { Text } from '@gondola/web-kit/ui/text';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { resultOf } from './file-commands.ts';
import { useWords } from '../texts/words.ts';

const LOOK_MS = 1_000;

/** What became of a file command: under way, done, or why not. */
export function CommandResult({ tenant, commandId }: { tenant: string; commandId: string }): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const { data } = useQuery({
    queryKey: ['file-command', tenant, commandId],
    queryFn: () => resultOf(tenant, commandId),
    // Not again once it is known: reading it is recorded.
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.data?.result == null ? LOOK_MS : false),
  });
  const result = data?.result ?? null;
  if (result === null) {
    return (
      <p className="note" role="status">
        {t('files.published.underWay')}
      </p>
    );
  }
  const isGood = result.outcome === 'applied' || result.outcome === 'unchanged';
  return (
    <p className={isGood ? 'note' : 'problem'} role="status">
      {isGood ? t('files.published.done') : t('files.published.not', { outcome: word('outcome', result.outcome) })}{' '}
      {!isGood && <Text value={(result.errors?.[0] ?? result.reason)?.message} longest={1_000} />}
    </p>
  );
}
