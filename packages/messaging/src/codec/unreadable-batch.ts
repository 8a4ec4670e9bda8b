/** A batch of a partition that nobody can read records from; the message says why, without its content. */
export class UnreadableBatchError extends Error {
  readonly code = 'BATCH_UNREADABLE';
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableBatchError';
  }
}
