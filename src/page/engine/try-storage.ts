/** Uses localStorage or sessionStorage. Returns undefined if `use` throws: storage may be denied or full. */
export function tryStorage<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
