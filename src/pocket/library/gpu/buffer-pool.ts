import { allocateBuffer, freeBuffer } from './device';

// WebLLM makes and drops about a dozen small tensors per token. Each real `destroy()` flushes the
// command encoder and each `createBuffer()` is a message to the GPU process, so dropped buffers
// wait here for the next tensor of their size class (powers of two).

const SMALLEST_CLASS: i32 = 4;
const LARGEST_CLASS: i32 = 22;
/** Bytes that may wait unused; beyond this a dropped buffer is really freed. */
const MOST_WAITING: u32 = 32 << 20;

@unmanaged
class Waiting {
  constructor(
    public buffer: i32,
    public next: usize,
  ) {}
}

const waiting = memory.data<usize>([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
let waitingBytes: u32 = 0;

/** A buffer of at least this many bytes, with unspecified content. */
export function takeBuffer(bytes: u32): i32 {
  const sizeClass = classOf(bytes);
  if (sizeClass > LARGEST_CLASS) return allocateBuffer(bytes);
  const top = load<usize>(slot(sizeClass));
  if (top == 0) return allocateBuffer(1 << sizeClass);
  const taken = changetype<Waiting>(top);
  store<usize>(slot(sizeClass), taken.next);
  waitingBytes -= 1 << sizeClass;
  const buffer = taken.buffer;
  heap.free(top);
  return buffer;
}

/** Gives back a buffer that was taken for the same number of bytes. */
export function dropBuffer(buffer: i32, bytes: u32): void {
  if (buffer == 0) return;
  const sizeClass = classOf(bytes);
  if (sizeClass > LARGEST_CLASS || waitingBytes + (1 << sizeClass) > MOST_WAITING) {
    freeBuffer(buffer);
    return;
  }
  const dropped = new Waiting(buffer, load<usize>(slot(sizeClass)));
  store<usize>(slot(sizeClass), changetype<usize>(dropped));
  waitingBytes += 1 << sizeClass;
}

function classOf(bytes: u32): i32 {
  if (bytes <= 1 << SMALLEST_CLASS) return SMALLEST_CLASS;
  return 32 - clz<u32>(bytes - 1);
}

function slot(sizeClass: i32): usize {
  return waiting + ((<usize>sizeClass) << alignof<usize>());
}
