/** Milliseconds within which a call counts as the repetition of an earlier one. */
const REPETITION_TIME = 60_000;

interface Sent {
  /** Names the run of the service worker that sent the call. */
  readonly sender?: string;
}

interface UnconfirmedCall<Given, Made> {
  readonly given: Given;
  readonly made: Promise<Made>;
  readonly until: number;
  /** Id of what it has made; null as long as it has not. */
  id: string | null;
}

/**
 * Calls that make something, until the service worker confirms that it has the result. If it is stopped before, the browser
 * or the client repeats the request. Then the result of the first call counts, so that nothing is made twice, of which the
 * client would know one. The same call of the same run is not a repetition: the client wants it twice.
 */
export class UnconfirmedCalls<Given extends Sent, Made extends { readonly id: string }> {
  readonly #calls = new Set<UnconfirmedCall<Given, Made>>();

  async run(given: Given, make: () => Promise<Made>): Promise<Made> {
    for (const call of this.#calls) if (call.until < Date.now()) this.#calls.delete(call);
    const earlier = [...this.#calls];
    // Noted before anything is awaited, so that a repetition that comes at once finds it.
    const made = firstSame(earlier, given).then((same) => same?.made ?? make());
    const call: UnconfirmedCall<Given, Made> = { given, made, until: Date.now() + REPETITION_TIME, id: null };
    this.#calls.add(call);
    try {
      const result = await made;
      call.id = result.id;
      return result;
    } catch (thrown) {
      this.#calls.delete(call);
      throw thrown;
    }
  }

  /** Forgets the call that made this. */
  confirm(id: string): void {
    for (const call of this.#calls) if (call.id === id) this.#calls.delete(call);
  }
}

/** Finds the first call that differs from another one in its sender only. */
async function firstSame<Given extends Sent, Made>(
  calls: readonly UnconfirmedCall<Given, Made>[],
  given: Given,
): Promise<UnconfirmedCall<Given, Made> | null> {
  for (const call of calls) {
    if (call.given.sender !== given.sender && (await differInSender(call.given, given))) return call;
  }
  return null;
}

/** Whether two calls differ in nothing but their senders. */
async function differInSender(one: Sent, other: Sent): Promise<boolean> {
  const { sender: _one, ...first }: Readonly<Record<string, unknown>> = { ...one };
  const { sender: _other, ...second }: Readonly<Record<string, unknown>> = { ...other };
  const blobs: (readonly [Blob, Blob])[] = [];
  for (const [name, value] of Object.entries(first)) {
    const given = second[name];
    if (value instanceof Blob && given instanceof Blob && value.size === given.size) blobs.push([value, given]);
    else if (JSON.stringify(value) !== JSON.stringify(given)) return false;
  }
  for (const [left, right] of blobs) if (!(await haveSameBytes(left, right))) return false;
  return true;
}

async function haveSameBytes(one: Blob, other: Blob): Promise<boolean> {
  const [left, right] = [new Uint8Array(await one.arrayBuffer()), new Uint8Array(await other.arrayBuffer())];
  return left.every((byte, index) => byte === right[index]);
}
