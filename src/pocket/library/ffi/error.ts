// Errors travel in two steps, as the interface wants it: a function that fails leaves a message
// and returns, the call boundary turns the message into a non-zero status, and JavaScript then
// asks for the text. WebAssembly has no exceptions here, so code after raise() goes on with
// harmless values until the boundary; the first message wins because later ones are its echo.

let pending = false;
let message: usize = heap.alloc(1);
store<u8>(message, 0);

export function raise(text: string): void {
  if (pending) return;
  reserve(text.length);
  for (let i = 0; i < text.length; i++) store<u8>(message + i, <u8>text.charCodeAt(i));
}

/** Raises with a C string that JavaScript wrote. */
export function raiseCString(text: usize): void {
  if (pending) return;
  let length: i32 = 0;
  while (load<u8>(text + length) != 0) length++;
  reserve(length);
  memory.copy(message, text, length);
}

/** Status of the call that ends now: 0, or -1 after a raise. */
export function takeStatus(): i32 {
  if (!pending) return 0;
  pending = false;
  // Messages are the only strings made on the managed heap; nothing on the stack needs them now.
  __collect();
  return -1;
}

/** C string of the latest error, valid until the next one. */
export function lastError(): usize {
  return message;
}

function reserve(length: i32): void {
  pending = true;
  heap.free(message);
  message = heap.alloc(length + 1);
  store<u8>(message + length, 0);
}
