import type { AttemptEnd, DeliveriesRepository } from './deliveries.repository.ts';

interface Waiting {
  readonly end: AttemptEnd;
  readonly written: PromiseWithResolvers<boolean>;
}

/**
 * Stores the results of attempts: all that have gathered in one statement, and one statement at a time. A reader of
 * the log therefore never sees a smaller number after a larger one, and many attempts cost little more than one.
 */
export class AttemptEnds {
  private readonly deliveries: DeliveriesRepository;
  private waiting: Waiting[] = [];
  private isWriting = false;

  constructor(deliveries: DeliveriesRepository) {
    this.deliveries = deliveries;
  }

  /**
   * Resolves with true once the result is stored, with false if its delivery no longer exists; throws the
   * database's error.
   */
  async write(end: AttemptEnd): Promise<boolean> {
    const written = Promise.withResolvers<boolean>();
    this.waiting.push({ end, written });
    void this.writeAll();
    return written.promise;
  }

  private async writeAll(): Promise<void> {
    if (this.isWriting) return;
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const gathered = this.waiting;
      this.waiting = [];
      try {
        const ended = await this.deliveries.endAttempts(gathered.map(({ end }) => end));
        for (const { end, written } of gathered) written.resolve(ended.has(end.id));
      } catch (err) {
        for (const { written } of gathered) written.reject(err);
      }
    }
    this.isWriting = false;
  }
}
