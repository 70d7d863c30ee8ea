/** What exported files say. */
export const exportStrings = {
  fileOfAll: (day: string) => `tabserve-chats-${day}.json`,
  untitledFile: 'chat',
  question: 'Question',
  answer: (model: string) => `Answer (${model})`,
} as const;

/** Why a file cannot be imported. */
export const importStrings = {
  noJson: 'It is not JSON.',
  otherFormat: 'It is not a file that Tabserve exported.',
  otherVersion: (version: number) =>
    `Only version ${version} of this format is known here; a newer Tabserve may have written it.`,
  noSchema: 'It is not the text of a JSON Schema.',
  sharedIds: 'Two messages share an id.',
  problem: (problem: string, place: string | null) => `${problem} (${place ?? 'the whole file'})`,
} as const;
