/** Headers by name, as a Kafka client gives and takes them; of a name that stands there twice, a list. */
export interface NamedHeaders {
  [name: string]: Buffer | string | Array<Buffer | string> | undefined;
}

/** A record as a Kafka client hands it over. */
export interface KafkaMessage {
  readonly offset: string;
  /** Milliseconds since 1970 as decimal text; `-1` where there is none. */
  readonly timestamp: string;
  readonly attributes: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: NamedHeaders;
}
