import { Entity, PrimaryColumn } from 'typeorm';

/** A record of a load with a known id and other content: it is `invalid` and has no row as a command. */
@Entity('load_conflicts')
export class LoadConflictEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ name: 'load_id', type: 'text' })
  loadId!: string;

  @PrimaryColumn({ type: 'text' })
  topic!: string;

  @PrimaryColumn({ name: 'command_id', type: 'text' })
  commandId!: string;

  @PrimaryColumn({ name: 'content_hash', type: 'text' })
  contentHash!: string;
}
