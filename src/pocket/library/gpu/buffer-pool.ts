import { allocateBuffer, freeBuffer } from './device';

// A pool of GPU buffers, by size class (powers of two). WebLLM creates and frees about a dozen small tensors per token.
// Each `destroy()` submits the pending commands and each `createBuffer()` is a message to the GPU process, so freed
// buffers are reused.

const MIN_CLASS: i32 = 4;
const MAX_CLASS: i32 = 22;
/** Maximum total size of unused buffers in bytes. A freed buffer that would exceed it is destroyed. */
const MAX_WAITING: u32 = 32 << 20;

@unmanaged
class Waiting {
  constructor(
    public buffer: i32,
    public next: usize,
  ) {}
}

const waiting = memory.data<usize>([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
let waitingBytes: u32 = 0;

/** Returns a buffer of at least `bytes` bytes. Its content is unspecified. */
export function takeBuffer(bytes: u32): i32 {
  const sizeClass = classOf(bytes);
  if (sizeClass > MAX_CLASS) return allocateBuffer(bytes);
  const top = load<usize>(slot(sizeClass));
  if (top == 0) return allocateBuffer(1 << sizeClass);
  const taken = changetype<Waiting>(top);
  store<usize>(slot(sizeClass), taken.next);
  waitingBytes -= 1 << sizeClass;
  const buffer = taken.buffer;
  heap.free(top);
  return buffer;
}

/** Returns a buffer to the pool. `bytes` must be the size that it was taken for. */
export function dropBuffer(buffer: i32, bytes: u32): void {
  if (buffer == 0) return;
  const sizeClass = classOf(bytes);
  if (sizeClass > MAX_CLASS || waitingBytes + (1 << sizeClass) > MAX_WAITING) {
    freeBuffer(buffer);
    return;
  }
  const dropped = new Waiting(buffer, load<usize>(slot(sizeClass)));
  store<usize>(slot(sizeClass), changetype<usize>(dropped));
  waitingBytes += 1 << sizeClass;
}

function classOf(bytes: u32): i32 {
  if (bytes <= 1 << MIN_CLASS) return MIN_CLASS;
  return 32 - clz<u32>(bytes - 1);
}

function slot(sizeClass: i32): usize {
  return waiting + ((<usize>sizeClass) << alignof<usize>());
}
