/** Returns a Markdown link. Characters that would end its title or its address are escaped. */
export function linkTo(title: string, url: string): string {
  const address = url.replace(/[\s()<>]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `[${title.replace(/\s+/g, ' ').replace(/[[\]\\]/g, String.raw`\$&`)}](${address})`;
}
