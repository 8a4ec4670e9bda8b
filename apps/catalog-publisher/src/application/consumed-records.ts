/** What has come in from Kafka (rule 5: a silence that is only our own lag is none). */
export interface ConsumedRecords {
  /**
   * All that stood in the app's topics at that time (milliseconds since 1970) is stored; null while that is not known.
   */
  upTo(): number | null;
  /**
   * Has it found out anew, in the background, for a moment that is wanted, and says after how many milliseconds it is
   * worth looking.
   */
  ask(untilMs: number): number;
}
