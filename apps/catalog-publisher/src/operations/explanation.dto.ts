import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { type Language, LANGUAGES } from '@gondola/shared/outcomes/reason-codes';
import { Open } from '@gondola/service-kit/http/answer-fields';
import type { Actor, ExplainedStep, Explanation } from './explain-product.ts';
import { type Step, STEPS } from './explanation-texts.ts';

export class ExplanationQuery {
  @QueryParameter('Needed with several tenants')
  readonly tenant?: string;

  @QueryParameter('Of the sentences; else the tenant’s', LANGUAGES)
  readonly language?: Language;
}

class ShownStep implements ExplainedStep {
  @Open({ enum: STEPS })
  readonly step!: Step;

  @Open({ enum: ['done', 'waiting', 'missing', 'unknown'] })
  readonly state!: ExplainedStep['state'];

  @Open({ enum: ['erp', 'gondola', 'platform'], type: String, nullable: true, description: 'Who must act' })
  readonly who!: Actor | null;

  @Open()
  readonly text!: string;
}

/** Explanation of why shoppers do not see a product. */
export class ShownExplanation implements Explanation {
  @Open()
  readonly tenant!: string;

  @Open()
  readonly externalReference!: string;

  @Open({ type: Boolean, nullable: true, description: 'Null: not all could be seen' })
  readonly inShop!: boolean | null;

  @Open({ description: 'The first thing that is missing, and who must act' })
  readonly summary!: string;

  @Open({ type: [ShownStep], description: 'In the order in which they are looked at' })
  readonly steps!: readonly ExplainedStep[];
}
