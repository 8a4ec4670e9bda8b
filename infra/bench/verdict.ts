/** A measured ratio, or a figure that is only shown (`atLeast` null), with its goal. More is better. */
export interface Verdict {
  what: string;
  measured: number;
  target: number;
  /**
   * Minimum below which the run fails; null: shown and never checked, as any figure that depends on the machine.
   */
  atLeast: number | null;
}

/** A measurement of NaN fails, too. */
export function holds({ measured, atLeast }: Verdict): boolean {
  return atLeast === null || measured >= atLeast;
}

/** `held  ours : bare  ×0.63  target ×0.60  checked ×0.55` */
export function lineOf(verdict: Verdict): string {
  const { what, measured, target, atLeast } = verdict;
  const word = atLeast === null ? 'shown' : holds(verdict) ? 'held ' : 'BROKE';
  const checked = atLeast === null ? 'not checked' : `checked ${times(atLeast)}`;
  return `${word}  ${what}  ${times(measured)}  target ${times(target)}  ${checked}`;
}

function times(ratio: number): string {
  return `×${ratio.toFixed(2)}`;
}
