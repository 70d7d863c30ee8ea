/** Bytes of the numbers that a kernel is given for one launch; what is longer is no such thing. */
const MOST_NUMBERS = 256;

/** Writes nothing to a uniform buffer that it holds already. Kernels cannot write to one, so it holds what was written last. */
export function skipEqualNumbers(queue: GPUQueue): void {
  const write = queue.writeBuffer.bind(queue);
  const written = new WeakMap<GPUBuffer, Uint32Array>();
  queue.writeBuffer = (...call: Parameters<GPUQueue['writeBuffer']>) => {
    const [buffer] = call;
    const numbers = wholeNumbers(call);
    const before = written.get(buffer);
    if (numbers !== null && before !== undefined && isEqual(numbers, before)) return undefined;
    if (numbers !== null) written.set(buffer, numbers);
    else written.delete(buffer);
    return write(...call);
  };
}

/** A copy of what a call writes, where it is all that a uniform buffer is known to hold; else null. */
function wholeNumbers([buffer, offset, data, ...part]: Parameters<GPUQueue['writeBuffer']>): Uint32Array | null {
  // oxlint-disable-next-line no-bitwise -- flags
  if ((buffer.usage & GPUBufferUsage.UNIFORM) === 0 || offset !== 0 || part.length > 0) return null;
  return data instanceof ArrayBuffer && data.byteLength <= MOST_NUMBERS ? new Uint32Array(data.slice(0)) : null;
}

function isEqual(one: Uint32Array, other: Uint32Array): boolean {
  return one.length === other.length && one.every((number, index) => number === other[index]);
}
