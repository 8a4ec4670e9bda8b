import { Raw, Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useWords } from '../texts/words.ts';
import type { TimelineEntry } from './order-parts.ts';
import styles from './order.module.css';

/** What happened to an order, a sentence for each entry, which opens to the entry itself. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <ol className={styles['timeline']}>
      {entries.map((entry, index) => (
        <li key={`${entry.at} ${index}`} data-kind={entry.kind}>
          <details>
            <summary>
              <Moment at={entry.at} />
              <span>
                <Sentence entry={entry} />
              </span>
            </summary>
            {entry.kind === 'fact' && entry.operationId !== null && (
              <Link to="/notifications" search={{ operation: entry.operationId }}>
                {t('timeline.toNotification')}
              </Link>
            )}
            <Raw value={entry} />
          </details>
        </li>
      ))}
    </ol>
  );
}

/** Commands that operators ask for have ids with these beginnings. */
const BY_OPERATORS = /^(refresh|release|withdraw)-/;
/** `requestedBy` of a call that named no operator. */
const NO_NAME = 'gondola';

function Sentence({ entry }: { entry: TimelineEntry }): ReactNode {
  return <Text value={useSentence(entry)} longest={2_000} />;
}

function useSentence(entry: TimelineEntry): string {
  const { t } = useTranslation();
  const { word, status, named } = useWords();
  switch (entry.kind) {
    case 'fact': {
      const what = entry.error?.title ?? status(entry.status) ?? entry.eventType;
      if (entry.error !== null) return t('timeline.notifiedFailed', { what });
      return entry.source === 'read' ? t('timeline.read', { what }) : t('timeline.notified', { what });
    }
    case 'command': {
      const command = word('command', entry.command);
      const isOperators = BY_OPERATORS.test(entry.commandId);
      if (!isOperators) return t('timeline.command', { command });
      const { requestedBy } = entry;
      if (requestedBy === null || requestedBy === NO_NAME) return t('timeline.operatorCommand', { command });
      return t('timeline.commandBy', { command, operator: requestedBy });
    }
    case 'attempt': {
      const step = named(`timeline.step.${entry.step}`, entry.step);
      if (entry.answer === null) return t('timeline.sent', { step });
      if (entry.answer.kind === 'accepted') return t('timeline.accepted', { step });
      if (entry.answer.kind === 'refused') return t('timeline.refused', { step, status: entry.answer.status ?? '' });
      return t('timeline.noAnswer', { step, cause: entry.answer.cause ?? '' });
    }
    case 'reading': {
      if (entry.of === 'payload') return t('timeline.readPayload', { found: entry.found ?? t('timeline.nothing') });
      const found = entry.found === null ? t('timeline.nothing') : word('status', entry.found);
      return t('timeline.readStatus', { found });
    }
    case 'pdf':
      return entry.asked === 'check' ? t('timeline.pdfCheck') : t('timeline.pdfAttach');
    case 'outcome': {
      const command = word('command', entry.command);
      const reason = entry.reasonCode === null ? '' : ` (${entry.reasonCode})`;
      const outcome = word('outcome', entry.outcome) + reason;
      if (entry.isCorrection) return t('timeline.correction', { command, outcome });
      if (entry.evidence === null || entry.outcome !== 'applied') return t('timeline.outcome', { command, outcome });
      const evidence = named(`timeline.evidence.${entry.evidence}`, entry.evidence);
      return t('timeline.outcomeBy', { command, outcome, evidence });
    }
    case 'event': {
      const what = named(`timeline.event_.${entry.type}`, entry.type);
      return t('timeline.event', { revision: entry.revision ?? '', what });
    }
    default:
      return (entry as { readonly kind: string }).kind;
  }
}
