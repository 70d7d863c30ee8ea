/** A passage of a file with its score. */
export interface FoundPassage {
  /** The id of its file. */
  readonly file: string;
  /** How many passages the file has. */
  readonly count: number;
  /** The passage's place among them. */
  readonly index: number;
  readonly score: number;
}

/** Passages of a file that follow each other. */
export interface PassageHit {
  readonly file: string;
  /** Places of the first and the last passage among those of the file. */
  readonly first: number;
  readonly last: number;
  /** The passages that were found, best first. The others are their neighbours. */
  readonly found: readonly number[];
  /** Score of the best of them. */
  readonly score: number;
}

/**
 * Adds its neighbours to each passage, and joins passages of a file that then touch or overlap. The result is in the
 * order of the best passage of each hit.
 * @param passages Best first.
 * @param most Largest number of hits. A passage that touches one of them is still added to it.
 * @param neighbours How many passages on each side are added.
 */
export function joinNeighbours(
  passages: readonly FoundPassage[],
  most: number,
  neighbours: number,
): readonly PassageHit[] {
  let hits: PassageHit[] = [];
  for (const { file, count, index, score } of passages) {
    const first = Math.max(0, index - neighbours);
    const last = Math.min(count - 1, index + neighbours);
    const touching = hits.filter((hit) => hit.file === file && hit.first <= last + 1 && hit.last >= first - 1);
    const best = touching[0];
    if (best === undefined) {
      if (hits.length < most) hits.push({ file, first, last, found: [index], score });
      continue;
    }
    const joined = {
      ...best,
      first: Math.min(first, ...touching.map((hit) => hit.first)),
      last: Math.max(last, ...touching.map((hit) => hit.last)),
      found: [...touching.flatMap((hit) => hit.found), index],
    };
    hits = hits.filter((hit) => hit === best || !touching.includes(hit)).map((hit) => (hit === best ? joined : hit));
  }
  return hits;
}
