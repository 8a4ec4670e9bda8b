import { type Evidence, judge } from './judge.ts';
import { planOf, weatherOf } from './plan.ts';
import { PlayedRun, type PlayedShop } from './play.ts';
import type { SentRecord } from './sent-record.ts';

/** Kinds in the order in which they name each other. */
const ORDER = ['brand', 'category', 'product', 'warehouse', 'price', 'stock'];

/**
 * Plays sequences of so many steps, one in each shop, and judges what became of them. Returns the contradictions, with
 * the weather in which they arose. Standard error gets how they came about: the records of their shop with their ends,
 * and the calls that name what they are about.
 */
export async function playedProblems(
  label: string,
  seed: number,
  size: { readonly shops: number; readonly steps: number },
): Promise<string[]> {
  const plans = Array.from({ length: size.shops }, (_, index) => planOf(seed * 10 + index, size.steps));
  const weather = weatherOf(seed);
  const run = await PlayedRun.start(label, plans);
  try {
    await run.play(weather);
    const problems = (await Promise.all(run.shops.map((shop) => problemsOf(shop)))).flat();
    return problems.length === 0 ? [] : [...problems, `INTENT_SEED=${seed} ${JSON.stringify(weather)}`];
  } finally {
    await run.close();
  }
}

/** Problems after the sequence, and after a repeat of what the shop lacks. */
async function problemsOf(shop: PlayedShop): Promise<string[]> {
  const said = (text: string) => `${shop.tenant}: ${text}`;
  const before = await shop.evidence();
  const { problems, owed } = judge(before);
  if (problems.length > 0) {
    const references = before.records.map(({ reference }) => reference);
    const named = [...new Set(references)].filter((each) => problems.some((problem) => problem.includes(each)));
    const calls = (await shop.callsAbout(named)).map((call) => `  ${JSON.stringify(call)}`);
    process.stderr.write(`${[...problems, ...historyOf(before), ...calls].map(said).join('\n')}\n`);
    return [...shop.problems, ...problems].map(said);
  }
  if (owed.length === 0) return shop.problems.map(said);
  const repeats = owed
    .toSorted((one, other) => before.records.indexOf(one) - before.records.indexOf(other))
    .toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))
    .map((record) => repeatOf(record));
  await shop.send(repeats, 'ended');
  const after = await shop.evidence();
  // Of several of one entity, an older one may bring the value of a later one.
  const oldest = new Map(repeats.toReversed().map((each) => [`${each.kind} ${each.reference}`, each]));
  const unchanged = [...oldest.values()].filter(({ id }) => after.ends.get(id)?.outcome === 'unchanged');
  const still = judge(after);
  if (unchanged.length + still.problems.length + still.owed.length > 0)
    process.stderr.write(`${historyOf(after).map(said).join('\n')}\n`);
  return [
    ...shop.problems,
    ...unchanged.map(({ id }) => `the shop lacks the value of ${id}, which is unchanged`),
    ...still.problems,
    ...still.owed.map(({ id }) => `the shop lacks the value of ${id} in fair weather`),
  ].map(said);
}

/** Each record with its end, to see how a contradiction came about. */
function historyOf({ records, ends }: Evidence): string[] {
  return records.map(({ id, content }) => {
    const { outcome = 'open', codes = [] } = ends.get(id) ?? {};
    return `  ${id} ${outcome} ${codes.join(' ')} ${JSON.stringify(content)}`;
  });
}

/** The same record as a new change. */
function repeatOf({ id, content, ...record }: SentRecord): SentRecord {
  const recordId = `${id}-again`;
  return { ...record, id: recordId, content: { ...content, recordId } };
}
