/** File extensions of formats that contain text in a form that is not read here. */
const OTHER_FORMATS =
  /\.(pdf|docx?|xlsx?|pptx?|odt|ods|odp|rtf|epub|eml|msg|zip|gz|7z|rar|png|jpe?g|gif|webp|heic|svgz|mp3|mp4|wav|webm|exe|wasm)$/i;

/** Why the text of a file cannot be read. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile' as const;
  readonly code: 'unsupported_file' | 'invalid_file';

  constructor(code: UnreadableFile['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Decodes a text file: UTF-8, or UTF-16 with a byte order mark. Line ends become line feeds.
 * @throws UnreadableFile for other files; its message says what to do instead.
 */
export async function readFileText(content: Blob, filename: string): Promise<string> {
  const [extension] = OTHER_FORMATS.exec(filename) ?? [];
  if (extension !== undefined) {
    throw new UnreadableFile(
      'unsupported_file',
      `Files of the type ${extension} are not read here. Upload their text, as a .txt or .md file.`,
    );
  }
  const bytes = new Uint8Array(await content.arrayBuffer());
  const text = decode(bytes);
  if (text === null || text.includes('\0')) {
    const message =
      'The file is no text in UTF-8, or in UTF-16 with a byte order mark. Convert it, or upload its text.';
    throw new UnreadableFile('unsupported_file', message);
  }
  if (text.trim() === '') throw new UnreadableFile('invalid_file', 'The file contains no text.');
  return text.replace(/\r\n?/g, '\n');
}

function decode(bytes: Uint8Array<ArrayBuffer>): string | null {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
