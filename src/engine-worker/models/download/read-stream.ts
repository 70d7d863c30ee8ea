/**
 * Iterates over a stream, for Safari, whose streams have no async iterator. Leaving the loop early cancels the stream.
 */
export async function* readStream<Chunk>(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
