import type { CollectionFile } from '../../../src/chat/api/collection-files.ts';
import type { Collection } from '../../../src/chat/api/collections.ts';
import type { Source } from '../../../src/chat/types/conversation.ts';
import type { SampleCollection } from '../specimen.ts';

const COUNTS = { in_progress: 0, completed: 0, failed: 0, cancelled: 0 };

/** The text of every sample file. Its second paragraph is that of the first source. */
const FILE_TEXT = [
  'A handbook of harbours',
  ...Array.from({ length: 30 }, (_, page) => `Page ${page + 1}: ships carry wood and coal to the north.`),
  'The harbour of Oslo has two lighthouses. The older one was built in 1831.',
  ...Array.from({ length: 30 }, (_, page) => `Page ${page + 32}: ships carry salt and wine to the south.`),
].join('\n\n');

export const SAMPLE_SOURCES: readonly Source[] = [
  {
    file: 'file-1',
    name: 'harbours/handbook.pdf',
    text: 'Norway > Oslo\nThe harbour of Oslo has two lighthouses. The older one was built in 1831.',
  },
  {
    file: 'file-3',
    name: 'notes.md',
    text: 'Ferries > Winter\nThe **night** ferry leaves from [pier 4](https://example.org):\n\n- Monday\n- Friday',
  },
  { file: 'file-2', name: 'timetable-2026.xlsx', text: 'Line | Departs\nOslo–Kiel | 14:00' },
];

/** A collection with this many files in each state. */
export function sampleCollection(
  changes: Partial<Collection>,
  counts: Partial<Collection['file_counts']> = {},
): SampleCollection {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const collection: Collection = {
    id: 'vs-1',
    name: 'Harbours',
    status: 'completed',
    usage_bytes: total * 31_000,
    embedding_model: 'pocket-embed',
    metadata: {},
    indexing: {
      passages: (counts.completed ?? 0) * 41,
      indexed_bytes: (counts.completed ?? 0) * 50_000,
      waiting_bytes: (counts.in_progress ?? 0) * 50_000,
      paused: false,
    },
    file_counts: { ...COUNTS, ...counts, total },
    ...changes,
  };
  const files = (['in_progress', 'failed', 'completed'] as const).flatMap((status) =>
    Array.from({ length: counts[status] ?? 0 }, (_, index) => sampleFile(`${status}-${index}`, status)),
  );
  return { collection, files, text: FILE_TEXT };
}

function sampleFile(id: string, status: CollectionFile['status']): CollectionFile {
  const error = status === 'failed' ? { message: 'Sample of a sentence.' } : null;
  return {
    id,
    status,
    last_error: error,
    usage_bytes: status === 'completed' ? 31_000 : 0,
    attributes: { name: `harbours/${id}.pdf`, size: 123_456 },
    chunking_strategy: {},
  };
}
