import type { FileCounts } from '../../shared/documents/document-objects.ts';
import type { StoreFileRecord } from './storage/document-records.ts';

/** Counts the files of a vector store or batch by the state of their indexing. */
export function countFiles(files: readonly Pick<StoreFileRecord, 'status'>[]): FileCounts {
  const counts = { in_progress: 0, completed: 0, failed: 0, cancelled: 0, total: files.length };
  for (const { status } of files) counts[status] += 1;
  return counts;
}
