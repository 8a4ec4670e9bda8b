import { ApiProperty } from '@gondola/service-kit/http/api-docs';

/**
 * A command without an outcome, as operators see it; an app adds its own fields about what the command waits for.
 */
export class ShownOpenCommand {
  @ApiProperty()
  readonly commandId!: string;

  @ApiProperty()
  readonly command!: string;

  @ApiProperty({ format: 'date-time' })
  readonly receivedAt!: string;

  @ApiProperty({ type: 'integer' })
  readonly attempts!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly deadlineAt!: string | null;
}
