import { expect, test } from 'vitest';
import { Bundles } from '../../../src/engine-worker/documents/bundles.ts';
import { Indexer } from '../../../src/engine-worker/documents/indexer.ts';
import { StoredDocuments } from '../../../src/engine-worker/documents/storage/stored-documents.ts';
import { MemoryDocuments } from '../../support/fakes/memory-documents.ts';

test.each(Array.from({ length: 8 }, (_, turns) => turns))(
  'a file that is added %d microtasks after the last one was indexed is noticed',
  async (turns) => {
    let passes = 0;
    const locks = {
      request: async (_: string, run: () => Promise<void>) => {
        await run();
        passes += 1;
        if (passes === 1) void addLater();
      },
    } as unknown as LockManager;
    const records = new MemoryDocuments();
    const stored = new StoredDocuments({ records, blobs: records.blobs, locks });
    const reading = { readDocument: async () => '', requireModel: async () => {} };
    const indexer = new Indexer({ stored, bundles: new Bundles({ stored }), embed: async () => [], ...reading, locks });
    const addLater = async () => {
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      indexer.wake();
    };
    indexer.wake();
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(passes).toBe(2);
  },
);
