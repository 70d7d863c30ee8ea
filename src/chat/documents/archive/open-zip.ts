/** Signatures and sizes of the parts of a ZIP archive; see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT. */
const END = { signature: 0x06054b50, bytes: 22, mostComment: 65_535 } as const;
const LISTED = { signature: 0x02014b50, bytes: 46 } as const;
const LOCAL = { signature: 0x04034b50, bytes: 30 } as const;

const STORED = 0;
const DEFLATED = 8;

/** Thrown if this is no complete ZIP archive. */
export class DamagedZip extends Error {}

interface ZipEntry {
  readonly method: number;
  readonly packed: number;
  readonly offset: number;
}

/** A ZIP archive whose entries are read from the disk one by one, so that it may be larger than the memory. */
export class ZipArchive {
  readonly #file: Blob;
  readonly #entries: ReadonlyMap<string, ZipEntry>;

  private constructor(file: Blob, entries: ReadonlyMap<string, ZipEntry>) {
    this.#file = file;
    this.#entries = entries;
  }

  /** @throws DamagedZip if the list of entries is missing or damaged. */
  static async open(file: Blob): Promise<ZipArchive> {
    const tailStart = Math.max(0, file.size - END.bytes - END.mostComment);
    const tail = new DataView(await file.slice(tailStart).arrayBuffer());
    let at = tail.byteLength - END.bytes;
    while (at >= 0 && tail.getUint32(at, true) !== END.signature) at -= 1;
    if (at < 0) throw new DamagedZip('It has no list of its entries.');
    const [count, bytes, start] = [
      tail.getUint16(at + 10, true),
      tail.getUint32(at + 12, true),
      tail.getUint32(at + 16, true),
    ];
    const list = new DataView(await file.slice(start, start + bytes).arrayBuffer());
    if (list.byteLength < bytes) throw new DamagedZip('Its list of entries is cut.');
    const entries = readList(list, count);
    const packed = [...entries.values()].reduce((sum, entry) => sum + entry.packed, 0);
    // Otherwise a small archive could unpack to any size.
    if (packed > file.size) throw new DamagedZip('Its entries overlap.');
    return new ZipArchive(file, entries);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Returns the content of an entry.
   * @param most The most bytes that it may unpack to.
   * @throws DamagedZip if there is no such entry, or if it is damaged or larger.
   */
  async read(name: string, most: number): Promise<Blob> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new DamagedZip(`It has no ${name}.`);
    const { method, packed, offset } = entry;
    const head = new DataView(await this.#file.slice(offset, offset + LOCAL.bytes).arrayBuffer());
    if (head.byteLength < LOCAL.bytes || head.getUint32(0, true) !== LOCAL.signature)
      throw new DamagedZip(`The head of ${name} is damaged.`);
    const start = offset + LOCAL.bytes + head.getUint16(26, true) + head.getUint16(28, true);
    const content = this.#file.slice(start, start + packed);
    if (method === STORED) {
      if (content.size > most) throw new DamagedZip(`${name} is too large.`);
      return content;
    }
    if (method !== DEFLATED) throw new DamagedZip(`${name} is packed in an unknown way.`);
    return inflate(content, name, most);
  }
}

function readList(list: DataView, count: number): ReadonlyMap<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + LISTED.bytes > list.byteLength || list.getUint32(at, true) !== LISTED.signature)
      throw new DamagedZip('Its list of entries is damaged.');
    const [nameBytes, extra, comment] = [28, 30, 32].map((place) => list.getUint16(at + place, true)) as [
      number,
      number,
      number,
    ];
    const start = at + LISTED.bytes;
    const end = Math.min(start + nameBytes, list.byteLength);
    const name = new TextDecoder().decode(new Uint8Array(list.buffer, list.byteOffset + start, end - start));
    entries.set(name, {
      method: list.getUint16(at + 10, true),
      packed: list.getUint32(at + 20, true),
      offset: list.getUint32(at + 42, true),
    });
    at = start + nameBytes + extra + comment;
  }
  return entries;
}

async function inflate(packed: Blob, name: string, most: number): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for await (const part of packed.stream().pipeThrough(new DecompressionStream('deflate-raw'))) {
      size += part.length;
      if (size > most) throw new DamagedZip(`${name} is too large.`);
      parts.push(part);
    }
  } catch (cause) {
    throw cause instanceof DamagedZip ? cause : new DamagedZip(`${name} is damaged.`, { cause });
  }
  return new Blob(parts);
}
