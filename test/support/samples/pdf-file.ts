import { deflateSync } from 'node:zlib';

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/**
 * A PDF file with a page for each of these content streams, which are compressed.
 * @param font The dictionary of the font `F1`. Default: Helvetica.
 */
export function pdfFile(streams: readonly Buffer[], font = HELVETICA): Buffer {
  const pages = streams.map((_, index) => `${4 + 2 * index} 0 R`);
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${pages.join(' ')}] /Count ${pages.length} >>`),
    Buffer.from(font),
    ...streams.flatMap((stream, index) => {
      const deflated = deflateSync(stream);
      return [
        Buffer.from(
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        ),
        Buffer.concat([
          Buffer.from(`<< /Length ${deflated.length} /Filter /FlateDecode >>\nstream\n`),
          deflated,
          Buffer.from('\nendstream'),
        ]),
      ];
    }),
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** A content stream with this line of text. */
export function pdfText(line: string): Buffer {
  return Buffer.from(`BT /F1 12 Tf 20 200 Td (${line}) Tj ET`);
}

/**
 * A PDF file with one line in a font that is not embedded. Only a predefined CMap maps its codes to characters.
 * @param encoding Name of the CMap, such as `UniJIS-UCS2-H`.
 * @param collection The character collection, such as `Japan1`.
 * @param codes The line, in hexadecimal digits.
 */
export function pdfWithCmap(encoding: string, collection: string, codes: string): Buffer {
  const system = `<< /Registry (Adobe) /Ordering (${collection}) /Supplement 2 >>`;
  const descriptor =
    '<< /Type /FontDescriptor /FontName /Example /Flags 4 /FontBBox [0 -137 1000 859] /ItalicAngle 0 /Ascent 859 /Descent -140 /CapHeight 769 /StemV 80 >>';
  const descendant = `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Example /CIDSystemInfo ${system} /DW 1000 /FontDescriptor ${descriptor} >>`;
  const font = `<< /Type /Font /Subtype /Type0 /BaseFont /Example /Encoding /${encoding} /DescendantFonts [${descendant}] >>`;
  return pdfFile([Buffer.from(`BT /F1 12 Tf 20 200 Td <${codes}> Tj ET`)], font);
}
