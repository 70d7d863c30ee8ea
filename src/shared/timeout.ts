/**
 * Waits.
 * @param time Milliseconds.
 * @param signal Ends the waiting early: the promise then rejects with the signal's reason.
 */
export function sleep(time: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave);
      resolve();
    }, time);
    signal?.addEventListener('abort', leave, { once: true });
  });
}

/**
 * What `promise` settles to, or `late` when it is still pending after `time` milliseconds. The promise itself goes
 * on: what it rejects with afterwards is not reported.
 */
export async function withTimeout<Value, Late>(
  time: number,
  promise: Promise<Value>,
  late: Late,
): Promise<Value | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late), time);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What `promise` settles to, unless `signal` aborts first. The promise itself goes on: what it rejects with afterwards
 * is not reported.
 * @throws the signal's reason.
 */
export function withAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
