import { isPublishedByEvents } from './corrections.ts';
import { type HeadCommand, type LaneSituation, turnOf } from '../lanes/lane-situation.ts';
import type { OrderFact } from '../notifications/order-fact.ts';
import type { OwnCommands } from '../orders/plan-events.ts';

/**
 * What the order's commands have to do with its facts (rule 10): events name the command that caused their fact; a
 * status that a command has reached which is still `open` waits for its result.
 */
export function ownCommands(situation: LaneSituation, open: readonly HeadCommand[]): OwnCommands {
  const { heads, unconfirmed } = situation;
  const held = open.map((head) => heldStatus(head, situation)).find((status) => status !== null);
  return {
    heldStatus: held ?? null,
    commandOf: (fact) =>
      heads.find((head) => isCauseOf(head, fact, situation))?.commandId ??
      unconfirmed.find(
        (command) =>
          isPublishedByEvents(command) && fact.operationId !== null && command.operationIds.includes(fact.operationId),
      )?.commandId ??
      null,
  };
}

function heldStatus(head: HeadCommand, situation: LaneSituation): number | null {
  if (head.judged.kind === 'invalid') return null;
  const { publishedBy } = head.judged.definition;
  return publishedBy.kind === 'result' ? publishedBy.heldStatus(turnOf(head, situation)) : null;
}

function isCauseOf(head: HeadCommand, fact: OrderFact, situation: LaneSituation): boolean {
  if (head.judged.kind === 'invalid') return false;
  const { definition, asked } = head.judged;
  const { publishedBy } = definition;
  return publishedBy.kind === 'event' && publishedBy.isCauseOf(asked, turnOf(head, situation), fact);
}
