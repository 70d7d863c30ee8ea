/** Parts of chats that an import cannot keep. */
export const LEFT_OUT_KINDS = ['images', 'audio', 'videos', 'files', 'sources', 'notes', 'branches'] as const;
export type LeftOutKind = (typeof LEFT_OUT_KINDS)[number];

/**
 * Numbers of parts that were left out. `sources`: citations whose address is not in the file. `notes`: messages that
 * the other product hides. `branches`: messages of other branches.
 */
export type LeftOut = Readonly<Record<LeftOutKind, number>>;

export const NOTHING_LEFT_OUT: LeftOut = {
  images: 0,
  audio: 0,
  videos: 0,
  files: 0,
  sources: 0,
  notes: 0,
  branches: 0,
};

/** Adds the numbers of each kind. */
export function sumOfLeftOut(all: Iterable<LeftOut>): LeftOut {
  const sum = { ...NOTHING_LEFT_OUT };
  for (const left of all) for (const kind of LEFT_OUT_KINDS) sum[kind] += left[kind];
  return sum;
}
