/** Matches a picture, font or other file that is written into a text as base64. Short ones, such as icons, stay. */
const DATA_ADDRESS = /data:([a-z]+)\/[\w.+-]{1,80}(?:;[\w=.-]{1,80}){0,5};base64,[\w+/=%-]{200,}/gi;

/**
 * Replaces files that are written into a text as base64 by their type.
 * @returns The text, and the number of files.
 */
export function withoutDataAddresses(text: string): readonly [text: string, count: number] {
  let count = 0;
  const rest = text.replace(DATA_ADDRESS, (_, type: string) => {
    count += 1;
    return `[${type}]`;
  });
  return [rest, count];
}
