/**
 * Returns a text of a workbook with the characters that XML cannot contain, or would change, and that Excel writes by their
 * codes: `_x000D_` ends a line, `_x005F_` is an underscore that is none of a code.
 */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\t\n])\p{Cc}/gu, '');
}
