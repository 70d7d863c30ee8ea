import { deflateSync } from 'node:zlib';

/** A PDF file with one page for each of these content streams, compressed. */
export function pdfFile(streams: readonly Buffer[]): Buffer {
  const pages = streams.map((_, index) => `${4 + 2 * index} 0 R`);
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${pages.join(' ')}] /Count ${pages.length} >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
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

/** A content stream that writes this line. */
export function pdfText(line: string): Buffer {
  return Buffer.from(`BT /F1 12 Tf 20 200 Td (${line}) Tj ET`);
}
