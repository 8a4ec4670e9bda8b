/** The known word that was probably meant: equal but for case, a mistyped letter or two, or a missing end. */
export function nearWord(word: string, known: readonly string[]): string | undefined {
  const given = word.toLowerCase();
  const most = given.length < 4 ? 1 : given.length < 8 ? 2 : 3;
  const near = known
    .map((one) => ({ one, distance: distance(given, one.toLowerCase()) }))
    .filter(({ one, distance: far }) => far <= most && far < one.length)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.one ?? (given.length > 3 ? known.find((one) => one.toLowerCase().startsWith(given)) : undefined);
}

/** ` ; did you mean …?`, or nothing if no known word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearWord(word, known);
  return near === undefined ? '' : `; did you mean \`${near}\`?`;
}

/** Number of letters to insert, delete, replace or exchange with the next one. */
function distance(one: string, other: string): number {
  let above: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        least = Math.min(least, (above[column - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    above = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
