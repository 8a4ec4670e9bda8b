import type { Action } from '../domain/action.ts';
import type { Report } from '../domain/report.ts';
import { eraseOrder } from './erase-order.ts';
import { listEntries } from './list-entries.ts';
import type { Session } from './session.ts';
import { showKept } from './show-kept.ts';
import { registerWebhook, webhookStatus } from './webhook-registration.ts';
import { listDeadLetters, redriveDeadLetter, showDeadLetter } from './work-dead-letters.ts';
import { discard, listQuarantine, reprocess } from './work-quarantine.ts';

/** Does what one command line asks for. */
export async function perform(session: Session, action: Action): Promise<Report> {
  switch (action.kind) {
    case 'webhook-register':
      return await registerWebhook(session, action);
    case 'webhook-status':
      return await webhookStatus(session, action);
    case 'notifications-list':
      return await listNotifications(session, action);
    case 'notifications-show':
      return await showKept(session, { of: 'notifications', ...action });
    case 'quarantine-list':
      return await listQuarantine(session, action);
    case 'quarantine-show':
      return await showKept(session, { of: 'quarantine', ...action });
    case 'quarantine-reprocess':
      return await reprocess(session, action);
    case 'quarantine-discard':
      return await discard(session, action);
    case 'order-erase':
      return await eraseOrder(session, action);
    case 'dead-letters-list':
      return await listDeadLetters(session, action);
    case 'dead-letter-show':
      return await showDeadLetter(session, action);
    default:
      return await redriveDeadLetter(session, action);
  }
}

async function listNotifications(
  session: Session,
  { filters, limit }: Extract<Action, { kind: 'notifications-list' }>,
): Promise<Report> {
  const { say } = session;
  return await listEntries(
    session,
    { app: 'webhook-ingest', path: '/api/notifications', query: filters, member: 'entries', limit },
    {
      columns: [
        [say('colId'), 'id'],
        [say('colReceived'), 'receivedAt'],
        [say('colTenant'), 'tenant'],
        [say('colEvent'), 'eventType'],
        [say('colEntity'), 'relatedEntity'],
        [say('colState'), 'state'],
        [say('colBytes'), 'bytes'],
        [say('colSubject'), 'subject'],
      ],
      flexible: 'subject',
    },
  );
}
