/** Maximum bytes of an array that may be allocated: more than the text of any page needs. */
const LARGEST = 2 ** 26;

const { Uint8Array: Original } = globalThis;

// Makes large arrays fail. A compressed stream in a malicious PDF can grow a thousandfold, and pdf.js doubles its
// buffer without a limit until the tab runs out of memory. Import this file before pdf.js: its worker then fails with
// an error instead.
globalThis.Uint8Array = new Proxy(Original, {
  construct(target, values: readonly unknown[], newTarget: Function) {
    const [length] = values;
    if (typeof length === 'number' && length > LARGEST) throw new RangeError('This array would be too large.');
    return Reflect.construct(target, values, newTarget === globalThis.Uint8Array ? target : newTarget) as object;
  },
});

// pdf.js would decompress with `DecompressionStream`, which bypasses the limit.
Reflect.deleteProperty(globalThis, 'DecompressionStream');
