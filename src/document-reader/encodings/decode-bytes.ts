/** The characters of the bytes from 0x80 in the encodings of MS-DOS that browsers do not decode. */
const CODE_PAGES: Readonly<Record<string, string>> = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
};

/**
 * Decodes bytes, of which the last may begin a character.
 * @param encoding A label of the Encoding Standard, `cp437` or `cp850`.
 * @param isStrict Whether bytes that are not characters are refused. Default: they become replacement characters.
 * @throws TypeError if bytes are refused.
 */
export function decodeBytes(bytes: Uint8Array<ArrayBuffer>, encoding: string, isStrict = false): string {
  const page = CODE_PAGES[encoding];
  if (page !== undefined) {
    const latin = Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : page[byte - 0x80]!));
    return latin.join('');
  }
  // `stream` drops an incomplete character at the end.
  const text = new TextDecoder(encoding, { fatal: isStrict }).decode(bytes, { stream: true });
  // Vietnamese writes tones as characters of their own, which fonts and models know in one with the letter.
  return encoding === 'windows-1258' ? text.normalize('NFC') : text;
}
