import { Open } from '@gondola/service-kit/http/answer-fields';

/**
 * A command without an outcome, as operators see it; an app adds its own fields about what the command waits for.
 */
export class ShownOpenCommand {
  @Open()
  readonly commandId!: string;

  @Open()
  readonly command!: string;

  @Open({ format: 'date-time' })
  readonly receivedAt!: string;

  @Open({ type: 'integer' })
  readonly attempts!: number;

  @Open({ type: String, format: 'date-time', nullable: true })
  readonly deadlineAt!: string | null;
}
