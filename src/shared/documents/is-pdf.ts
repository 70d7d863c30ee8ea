/** Bytes at the beginning of a file that may have the first line of a PDF, and those at its end that have the last one. */
const EDGE = 1024;

/** Whether a file is a PDF. Other bytes may precede its first line. A text that only names that line is none. */
export async function isPdf(file: Blob): Promise<boolean> {
  const start = (await file.slice(0, EDGE).text()).indexOf('%PDF-');
  if (start <= 0) return start === 0;
  const isWhole = (await file.slice(-EDGE).text()).includes('%%EOF');
  return isWhole || !isText(await file.arrayBuffer());
}

function isText(bytes: ArrayBuffer): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
}
