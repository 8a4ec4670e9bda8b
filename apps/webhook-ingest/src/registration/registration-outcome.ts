import type { WebhookAnswer } from '@gondola/platform-client/answers';

/**
 * Outcome of an attempt. `exists`: the tenant has a webhook that Gondola did not register; `exists-ours`,
 * `exists-probably-ours`: the webhook is that of an earlier attempt; `unknown`: sent, but the answer does not show
 * the outcome; `not-sent`: nothing reached the platform.
 */
export const REGISTRATION_OUTCOMES = [
  'registered',
  'exists',
  'exists-ours',
  'exists-probably-ours',
  'refused',
  'unknown',
  'not-sent',
] as const;
export type RegistrationOutcome = (typeof REGISTRATION_OUTCOMES)[number];

/** An earlier attempt of the tenant; outcome null if its process ended before the outcome was known. */
export interface EarlierAttempt {
  readonly outcome: RegistrationOutcome | null;
}

/**
 * Outcome of an answer, given all earlier attempts. The platform does not show the registered webhook, so a 409 is
 * read by the stored attempts: after a 500, a time-out or a crash the webhook is probably ours (rule 37). Pure.
 */
export function registrationOutcome(
  { kind }: Pick<WebhookAnswer, 'kind'>,
  earlier: readonly EarlierAttempt[],
): RegistrationOutcome {
  if (kind === 'unavailable') return 'not-sent';
  if (kind !== 'exists') return kind;
  const outcomes = earlier.map(({ outcome }) => outcome);
  if (outcomes.some((outcome) => outcome === 'registered' || outcome === 'exists-ours')) return 'exists-ours';
  const isProbablyOurs = outcomes.some((outcome) => outcome === null || PROBABLY.has(outcome));
  // A foreign webhook found before any attempt of ours could have succeeded is still foreign.
  return isProbablyOurs && !wasForeignFirst(outcomes) ? 'exists-probably-ours' : 'exists';
}

const PROBABLY: ReadonlySet<RegistrationOutcome> = new Set(['unknown', 'exists-probably-ours']);

/** The registered webhook, as far as all attempts of a tenant show it, oldest attempt first. Pure. */
export function standingRegistration<Attempt extends EarlierAttempt>(
  attempts: readonly Attempt[],
): { readonly outcome: RegistrationOutcome | 'none'; readonly attempt: Attempt | null } {
  const registered = attempts.findLast(({ outcome }) => outcome === 'registered');
  if (registered !== undefined) return { outcome: 'registered', attempt: registered };
  if (attempts.some(({ outcome }) => outcome === 'exists-probably-ours')) {
    // If several attempts lost their answer, only the first can have succeeded.
    const lost = attempts.find(({ outcome }) => outcome === null || outcome === 'unknown');
    return { outcome: 'exists-probably-ours', attempt: lost ?? null };
  }
  const conclusive = attempts.findLast(
    ({ outcome }) => outcome === null || outcome === 'exists' || outcome === 'unknown',
  );
  const last = conclusive ?? attempts.at(-1);
  if (last === undefined) return { outcome: 'none', attempt: null };
  return { outcome: last.outcome ?? 'unknown', attempt: null };
}

/** @param outcomes oldest first */
function wasForeignFirst(outcomes: ReadonlyArray<RegistrationOutcome | null>): boolean {
  const met = outcomes.indexOf('exists');
  const lost = outcomes.findIndex((outcome) => outcome === null || PROBABLY.has(outcome));
  return met !== -1 && met < lost;
}

export const PERMANENCE =
  'A webhook is registered once and for good: the platform has no route to change, delete or show it. Its url must stay reachable, its token ' +
  'must stay in webhook.tokens, and an event that is not listed is never delivered.';

/** Sentence for operators about each outcome. */
export const OUTCOME_SENTENCES: Readonly<Record<RegistrationOutcome, string>> = {
  registered:
    'The webhook is registered. It can never be changed; keep its url reachable and its token in webhook.tokens.',
  exists:
    'The platform has a webhook of this tenant already, which was not registered here. It can be neither seen nor changed through the API: ask ' +
    'the platform’s support what it is, or to remove it. If deliveries arrive here, it is the right one.',
  'exists-ours':
    'The platform has the webhook that was registered here before; nothing was changed. It can only be changed by the platform’s support.',
  'exists-probably-ours':
    'The platform has a webhook already, and it is probably the one of an earlier attempt from here whose answer was lost. Deliveries that arrive ' +
    'confirm it.',
  refused: 'The platform refused the registration; nothing is registered. Correct what it names, and ask again.',
  unknown:
    'The platform gave no usable answer, so that the webhook may be registered or not. Ask again: if it then exists, it is probably this one.',
  'not-sent':
    'Nothing reached the platform: check its address and the credentials in the tenants file, then ask again.',
};
