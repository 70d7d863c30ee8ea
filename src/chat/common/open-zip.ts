/** Signatures and sizes of the parts of a ZIP archive; see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT. */
const END = { signature: 0x06054b50, bytes: 22, mostComment: 65_535 } as const;
const LISTED = { signature: 0x02014b50, bytes: 46 } as const;
const LOCAL = { signature: 0x04034b50, bytes: 30 } as const;

/** Parts that an archive has in addition if it is larger than 4 GB, or has more than 65,535 entries. */
const LARGE_END = { signature: 0x06064b50, bytes: 56 } as const;
const LARGE_END_PLACE = { signature: 0x07064b50, bytes: 20 } as const;
const LARGE_NUMBERS = 0x0001;
/** Stands for a number that is in those parts. */
const ELSEWHERE = 0xffff_ffff;

const STORED = 0;
const DEFLATED = 8;

/** Thrown if this is no complete ZIP archive. */
export class DamagedZip extends Error {}

/** Thrown if an entry unpacks to more bytes than it may. */
export class TooLargeEntry extends DamagedZip {}

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
    const large = await readLargeEnd(file, tail, at - LARGE_END_PLACE.bytes);
    const { count, bytes, start } = large ?? {
      count: tail.getUint16(at + 10, true),
      bytes: tail.getUint32(at + 12, true),
      start: tail.getUint32(at + 16, true),
    };
    const list = new DataView(await file.slice(start, start + bytes).arrayBuffer());
    if (list.byteLength < bytes) throw new DamagedZip('Its list of entries is cut.');
    const entries = readList(list, count);
    const packed = [...entries.values()].reduce((sum, entry) => sum + entry.packed, 0);
    // Otherwise a small archive could unpack to any size.
    if (packed > file.size) throw new DamagedZip('Its entries overlap.');
    return new ZipArchive(file, entries);
  }

  /** The names of all entries. */
  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Returns the content of an entry.
   * @param most The most bytes that it may unpack to.
   * @throws TooLargeEntry if it is larger.
   * @throws DamagedZip if there is no such entry, or if it is damaged.
   */
  async read(name: string, most: number): Promise<Blob> {
    const { content, isStored } = await this.#find(name);
    if (!isStored) return inflate(content, name, most);
    if (content.size > most) throw new TooLargeEntry(`${name} is too large.`);
    return content;
  }

  /** Returns the beginning of an entry: at least the given number of bytes, if it has them. @throws DamagedZip as above. */
  async begin(name: string, bytes: number): Promise<Blob> {
    const { content, isStored } = await this.#find(name);
    return isStored ? content.slice(0, bytes) : inflate(content, name, Infinity, bytes);
  }

  /** Finds the bytes of an entry in the file, packed or stored. */
  async #find(name: string): Promise<{ readonly content: Blob; readonly isStored: boolean }> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new DamagedZip(`It has no ${name}.`);
    const { method, packed, offset } = entry;
    const head = new DataView(await this.#file.slice(offset, offset + LOCAL.bytes).arrayBuffer());
    if (head.byteLength < LOCAL.bytes || head.getUint32(0, true) !== LOCAL.signature)
      throw new DamagedZip(`The head of ${name} is damaged.`);
    const start = offset + LOCAL.bytes + head.getUint16(26, true) + head.getUint16(28, true);
    const content = this.#file.slice(start, start + packed);
    if (method !== STORED && method !== DEFLATED) throw new DamagedZip(`${name} is packed in an unknown way.`);
    return { content, isStored: method === STORED };
  }
}

/** Where the list of entries is. */
interface ListPlace {
  readonly count: number;
  readonly bytes: number;
  readonly start: number;
}

/**
 * Reads the end of a large archive.
 * @param at The place in `tail` at which such an archive tells where it is.
 * @returns Null for any other archive.
 */
async function readLargeEnd(file: Blob, tail: DataView, at: number): Promise<ListPlace | null> {
  if (at < 0 || tail.getUint32(at, true) !== LARGE_END_PLACE.signature) return null;
  const place = Number(tail.getBigUint64(at + 8, true));
  const end = new DataView(await file.slice(place, place + LARGE_END.bytes).arrayBuffer());
  if (end.byteLength < LARGE_END.bytes || end.getUint32(0, true) !== LARGE_END.signature)
    throw new DamagedZip('Its end is damaged.');
  const [count = 0, bytes = 0, start = 0] = [32, 40, 48].map((offset) => Number(end.getBigUint64(offset, true)));
  return { count, bytes, start };
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
    const next = start + nameBytes + extra + comment;
    if (next > list.byteLength) throw new DamagedZip('Its list of entries is damaged.');
    entries.set(name, {
      method: list.getUint16(at + 10, true),
      ...numbersOf(list, at, start + nameBytes, start + nameBytes + extra),
    });
    at = next;
  }
  return entries;
}

/**
 * Reads where a listed entry is. In a large archive, the numbers that have no room in 32 bits are in one of its extra fields.
 * @param from Where its extra fields begin.
 * @param to Where they end.
 */
function numbersOf(list: DataView, at: number, from: number, to: number): Pick<ZipEntry, 'packed' | 'offset'> {
  const numbers = [24, 20, 42].map((place) => list.getUint32(at + place, true));
  for (let field = from; field + 4 <= to; field += 4 + list.getUint16(field + 2, true)) {
    if (list.getUint16(field, true) !== LARGE_NUMBERS) continue;
    let place = field + 4;
    for (const [index, number] of numbers.entries()) {
      if (number !== ELSEWHERE || place + 8 > to) continue;
      numbers[index] = Number(list.getBigUint64(place, true));
      place += 8;
    }
  }
  const [, packed = 0, offset = 0] = numbers;
  return { packed, offset };
}

/** Unpacked bytes that are held in memory. The browser may keep those of a blob outside of it. */
const PIECE = 16_000_000;

/** @param enough Bytes after which the rest is left. Default: all are unpacked. */
async function inflate(packed: Blob, name: string, most: number, enough = Infinity): Promise<Blob> {
  const pieces: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let [size, held] = [0, 0];
  try {
    for await (const part of packed.stream().pipeThrough(new DecompressionStream('deflate-raw'))) {
      size += part.length;
      held += part.length;
      if (size > most) throw new TooLargeEntry(`${name} is too large.`);
      parts.push(part);
      if (held > PIECE) {
        pieces.push(new Blob(parts));
        [parts, held] = [[], 0];
      }
      if (size >= enough) break;
    }
  } catch (cause) {
    throw cause instanceof DamagedZip ? cause : new DamagedZip(`${name} is damaged.`, { cause });
  }
  return new Blob([...pieces, ...parts]);
}
