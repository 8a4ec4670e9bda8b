import { decideCancel } from './decide-cancel.ts';
import { decideInvoice } from './decide-invoice.ts';
import { decidePicking } from './decide-picking.ts';
import { decideStatusCommand } from './decide-status-command.ts';
import { type CommandSettings, type Decision, conclude } from './decision.ts';
import type { HeadCommand, LaneSituation } from './lane-situation.ts';
import { withSkus } from './match-skus.ts';
import { pickingProblems } from './picking-skus.ts';

/** What is to be done next for a command, by its kind. */
export function decideCommand(
  { content, progress, deadlineInMs, pdfCheck, pdfOutcome }: HeadCommand,
  situation: LaneSituation,
  settings: CommandSettings,
): Decision {
  const { state, nowMs, isLagging, finalPrice } = situation;
  const basis = { state, progress, deadlineInMs, nowMs, isLagging };
  if (content.kind === 'invalid') return conclude('invalid', 'none');
  if (content.kind === 'set-status') return decideStatusCommand({ ...basis, target: content.target }, settings);
  if (content.kind === 'cancel') return decideCancel(basis, settings);
  if (content.kind === 'picking') {
    const { values, skus } = situation;
    const { items, finalOrderPrice } = content.picking;
    const lines = values === null ? [] : withSkus(values, skus).items;
    const problems = progress.sendings.length > 0 ? [] : pickingProblems(items, lines, skus);
    return decidePicking({ ...basis, finalOrderPrice, problems, finalPrice }, settings);
  }
  const { registration, pdf } = content;
  const value = registration?.value ?? null;
  return decideInvoice({ ...basis, value, pdf, pdfCheck, pdfOutcome, finalPrice }, settings);
}
