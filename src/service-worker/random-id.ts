/** 32 random hexadecimal digits. */
export function randomId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}
