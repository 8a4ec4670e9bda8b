import { entriesOf, type Entry } from '../operations-api/operations-api.ts';
import { cell, fieldsOf, tableOf } from '../output/blocks.ts';
import { type Block, EXIT, type ExitCode, line } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

const ATTEMPT_COLUMNS = {
  startedAt: { pt: 'TENTATIVA', en: 'ATTEMPT' },
  outcome: 'colOutcome',
  url: 'colUrl',
  platformMessage: { pt: 'RESPOSTA DA PLATAFORMA', en: 'PLATFORM ANSWERED' },
} as const;

/** Meaning of a registration's outcome: a sentence, and whether the webhook is registered as requested. */
export interface Verdict {
  readonly sentence: string;
  readonly exit: ExitCode;
}

/**
 * Judges an answer of `POST /api/webhook-registration` (rule 37). It is successful if the webhook is certainly
 * registered, or if the plan has no problem. An outcome that is unknown here is shown with the app's own message.
 */
export function registrationVerdict(answer: Entry, say: Say): Verdict {
  const { outcome, problems, message } = answer;
  if (outcome !== 'dry-run') return outcomeVerdict(outcome, message, lastAnswer(answer), say);
  const found = entriesOf(problems).map((problem) => cell(problem['message']));
  if (found.length === 0) return { sentence: say('registerDryRun'), exit: EXIT.done };
  return { sentence: say('registerBlocked', { problems: found.join('; ') }), exit: EXIT.failed };
}

/** Formats one tenant's entry of `GET /api/webhook-registration`. */
export function stateBlocks(state: Entry, say: Say): Block[] {
  const { sentence } = outcomeVerdict(state['outcome'], state['message'], lastAnswer(state), say);
  return [...registrationBlocks(state, say), line(sentence)];
}

/** Formats a planned or completed registration, and the attempts before it. */
export function registrationBlocks(registration: Entry, say: Say): Block[] {
  const {
    events,
    attempts,
    problems: _problems,
    message: _message,
    permanence: _permanence,
    warnings,
    ...fields
  } = registration;
  const blocks: Block[] = [fieldsOf(fields)];
  if (Array.isArray(events))
    blocks.push(line(say('registerEvents', { count: events.length, events: events.map(cell).join(', ') })));
  const tried = entriesOf(attempts);
  if (tried.length > 0) blocks.push(tableOf(say, ATTEMPT_COLUMNS, tried));
  for (const warning of entriesOf(warnings))
    blocks.push(line(say('registerWarning', { message: cell(warning['message']) })));
  return blocks;
}

function outcomeVerdict(outcome: unknown, message: unknown, platformSaid: string, say: Say): Verdict {
  switch (outcome) {
    case 'registered':
      return { sentence: say('registered'), exit: EXIT.done };
    case 'exists-ours':
      return { sentence: say('registeredBefore'), exit: EXIT.done };
    case 'exists-probably-ours':
      return { sentence: say('registeredProbably'), exit: EXIT.failed };
    case 'exists':
      return { sentence: say('registeredElsewhere'), exit: EXIT.failed };
    case 'refused':
      return { sentence: say('registerRefused', { message: platformSaid }), exit: EXIT.failed };
    case 'unknown':
      return { sentence: say('registerUnknown'), exit: EXIT.failed };
    case 'not-sent':
      return { sentence: say('registerNotSent', { message: platformSaid }), exit: EXIT.failed };
    case 'none':
      return { sentence: say('registerNone'), exit: EXIT.done };
    default:
      return { sentence: cell(message), exit: EXIT.failed };
  }
}

function lastAnswer({ attempts }: Entry): string {
  return cell(entriesOf(attempts).at(-1)?.['platformMessage']);
}
