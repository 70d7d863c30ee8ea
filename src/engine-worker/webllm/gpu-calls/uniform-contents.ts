/**
 * The contents of uniform buffers, as far as they were written by the queue. It must see every write to a buffer that it
 * has seen once: otherwise it would take a needed write for a repeated one.
 */
export class UniformContents {
  readonly #contents = new WeakMap<object, Uint32Array>();

  /** Whether a write would change nothing. Remembers what it writes. The parameters are those of `writeBuffer`. */
  repeats(...[buffer, offset, data, dataOffset, size]: Parameters<GPUQueue['writeBuffer']>): boolean {
    const last = this.#contents.get(buffer);
    // Asks the browser for the usage only if the buffer is not known, because that is slow.
    // oxlint-disable-next-line no-bitwise -- flags
    if (last === undefined && buffer.usage !== (GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST)) return false;
    const isWhole = offset === 0 && dataOffset === undefined && size === undefined;
    if (!isWhole || !(data instanceof ArrayBuffer) || data.byteLength % Uint32Array.BYTES_PER_ELEMENT !== 0) {
      this.forget(buffer);
      return false;
    }
    const words = new Uint32Array(data);
    if (last !== undefined && areEqual(last, words)) return true;
    this.#contents.set(buffer, words.slice());
    return false;
  }

  /** Called when an object, if it is a buffer, may get other contents than by a write. */
  forget(object: object): void {
    this.#contents.delete(object);
  }
}

function areEqual(one: Uint32Array, other: Uint32Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}
