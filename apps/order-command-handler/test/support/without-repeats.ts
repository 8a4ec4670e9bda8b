interface Sent {
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Records without the repeats that a relay makes after a failure (guarantee 2), which are equal in key, headers and
 * bytes. A second record of the same outcome or event differs at least in its time, and stays.
 */
export function withoutRepeats<R extends Sent>(records: readonly R[], bytesOf: (record: R) => Buffer | null): R[] {
  const first = new Set<string>();
  return records.filter((record) => {
    const content = `${JSON.stringify([record.key, record.headers])} ${bytesOf(record)?.toString('latin1')}`;
    const isRepeat = first.has(content);
    first.add(content);
    return !isRepeat;
  });
}
