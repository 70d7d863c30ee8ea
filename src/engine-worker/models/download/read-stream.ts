/**
 * Iterates over a stream. Needed for Safari, whose streams are not async iterables. Leaving the loop early cancels the
 * stream.
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
