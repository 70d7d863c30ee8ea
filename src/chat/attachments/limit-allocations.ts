/** Maximum bytes of an array that may be allocated: more than the text of any page needs. */
const LARGEST = 2 ** 26;

const { Uint8Array: Original } = globalThis;

// A compressed stream in a hostile PDF can grow a thousandfold. pdf.js has no limit and doubles its buffer until the tab runs
// out of memory. Import this file before pdf.js: its worker then fails with an error.
globalThis.Uint8Array = new Proxy(Original, {
  construct(target, values: readonly unknown[], newTarget: Function) {
    const [length] = values;
    if (typeof length === 'number' && length > LARGEST) throw new RangeError('This array would be too large.');
    return Reflect.construct(target, values, newTarget === globalThis.Uint8Array ? target : newTarget) as object;
  },
});

// pdf.js would decompress with `DecompressionStream` if it existed. That would bypass the limit.
Reflect.deleteProperty(globalThis, 'DecompressionStream');
