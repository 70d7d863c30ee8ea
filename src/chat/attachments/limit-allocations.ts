/** Bytes of the largest array that a worker may make by its length: more than any page's text takes. */
const LARGEST = 2 ** 26;

const { Uint8Array: Original } = globalThis;

// A stream of a hostile PDF inflates to a thousand times its size. pdf.js has no limit for that: it doubles one array until
// all fits, or until the tab is out of memory. This is imported before pdf.js, whose worker then fails by an error instead.
globalThis.Uint8Array = new Proxy(Original, {
  construct(target, values: readonly unknown[], newTarget: Function) {
    const [length] = values;
    if (typeof length === 'number' && length > LARGEST) throw new RangeError('This array would be too large.');
    return Reflect.construct(target, values, newTarget === globalThis.Uint8Array ? target : newTarget) as object;
  },
});

// By this it would inflate without that array.
Reflect.deleteProperty(globalThis, 'DecompressionStream');
