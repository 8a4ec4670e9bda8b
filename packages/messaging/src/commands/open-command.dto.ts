import { ApiProperty } from '@nestjs/swagger';

/** What operators see of any command that has no outcome yet; an app adds what it waits for. */
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
