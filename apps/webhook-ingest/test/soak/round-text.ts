import type { RoundReport } from './soak-round.ts';

const SHOWN = 10;

/** A readable report: the result of a round in one line, and its violations. */
export function roundText({ log, records, repeats, violations }: RoundReport): string {
  const unanswered = log.notifications().filter(({ isAnswered }) => !isAnswered).length;
  const outcomes = [...log.outcomes].toSorted(([one], [other]) => String(one).localeCompare(String(other)));
  const answers = outcomes.map(([outcome, count]) => {
    return `${count} × ${outcome} (worst ${Math.round(log.worstMs.get(outcome) ?? 0)} ms)`;
  });
  return [
    `${log.done} notifications, ${unanswered} of them never answered 200, ${log.duplicates} delivered again later`,
    `answers: ${answers.join(', ')}`,
    `${records} records, ${repeats} of them repeats; violations: ${violations.length}`,
    ...violations.slice(0, SHOWN).map(({ kind, what }) => `  ${kind}: ${what}`),
  ].join('\n');
}
