/** Writes a number with as many digits as a cell of the format `General` shows, but a large one without an exponent. */
export function general(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(Math.abs(value) < 1e9 ? 11 : 15))) : String(value);
}

/** Returns what a token adds beside the digits. */
export function literal(token: string): string {
  if (token.startsWith('"')) return token.slice(1, -1);
  if (token.startsWith('\\')) return token.slice(1);
  // `[$€-407]` is a currency, other brackets are colours and conditions.
  if (token.startsWith('[')) return /^\[\$([^-\]]*)/.exec(token)?.[1] ?? '';
  if (/^[_*]/.test(token)) return '';
  return /^[#?]$/.test(token) ? '' : token;
}
