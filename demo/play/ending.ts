/** Tells a failure in one sentence (and, where there is one, a log's tail), without a stack trace. */
export function endInOneSentence(error: unknown): void {
  const sentences: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) sentences.push(cause.message);
  process.stderr.write(`${sentences.length > 0 ? sentences.join(': ') : String(error)}\n`);
}
