/** Replaces halves of characters, as a client leaves them that cuts a text within an emoji. llama.cpp refuses them. */
export function wholeCharacters(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}
