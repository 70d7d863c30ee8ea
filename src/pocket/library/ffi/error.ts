// Error handling as TVM's foreign-function interface requires it. raise() records a message. The exported C function
// then returns a non-zero status, and JavaScript asks for the message. raise() does not throw, since exceptions are not
// available here: the code after it continues with harmless values. Only the first message of a call is kept.

let pending = false;
let message: usize = heap.alloc(1);
store<u8>(message, 0);

export function raise(text: string): void {
  if (pending) return;
  reserve(text.length);
  for (let i = 0; i < text.length; i++) store<u8>(message + i, <u8>text.charCodeAt(i));
}

/** Records an error whose message is a C string written by JavaScript. */
export function raiseCString(text: usize): void {
  if (pending) return;
  let length: i32 = 0;
  while (load<u8>(text + length) != 0) length++;
  reserve(length);
  memory.copy(message, text, length);
}

/** Ends a call: returns 0, or -1 if an error was recorded, and clears the error state for the next call. */
export function takeStatus(): i32 {
  if (!pending) return 0;
  pending = false;
  // Frees the strings that built the message, which are garbage-collected. No local variable refers to one any more.
  __collect();
  return -1;
}

/** Message of the latest error as a C string, valid until the next error. */
export function lastError(): usize {
  return message;
}

function reserve(length: i32): void {
  pending = true;
  heap.free(message);
  message = heap.alloc(length + 1);
  store<u8>(message + length, 0);
}
