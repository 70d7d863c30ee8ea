/**
 * Resolves after a time.
 * @param time Milliseconds.
 * @param signal Aborts the wait: the promise rejects with the signal's reason.
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
 * Settles like `promise`, or resolves to `late` if that is still pending after `time` milliseconds. The work behind
 * `promise` continues; a later rejection is ignored.
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
 * Like {@link withTimeout} with null as the late value, for a context that may be frozen meanwhile. After it resumes, an
 * expired timer fires before the messages that arrived while it was frozen. So the time runs in several parts, of which
 * the later ones give these messages time to arrive.
 */
export async function withTimeoutAfterThaw<Value>(time: number, promise: Promise<Value>): Promise<Value | null> {
  const parts = 4;
  for (let part = 0; part < parts; part++) {
    const value = await withTimeout(time / parts, promise, undefined);
    if (value !== undefined) return value;
  }
  return null;
}

/**
 * Settles like `promise`, unless `signal` aborts first. The work behind `promise` continues; a later rejection is
 * ignored.
 * @throws the signal's reason if it aborts first.
 */
export function withAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
