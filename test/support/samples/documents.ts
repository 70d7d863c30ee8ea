import { strToU8, zipSync } from 'fflate';

type Files = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;

/** An archive whose files are not compressed, so that it does not look like a bomb. */
export function archive(files: Files): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => [name, typeof text === 'string' ? strToU8(text) : text]),
      ),
      { level: 0 },
    ),
  );
}

export const OFFICE = { '[Content_Types].xml': '<Types/>' };

function relations(...targets: readonly (readonly [id: string, type: string, target: string])[]): string {
  const entries = targets.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="http://schemas.example/${type}" Target="${target}"/>`,
  );
  return `<Relationships>${entries.join('')}</Relationships>`;
}

/** A Word document with this body. Other parts are found by their names. */
export function docx(body: string, parts: Files = {}): Uint8Array<ArrayBuffer> {
  const targets = Object.keys(parts).map((name) => [name, name.replace(/\d*\.xml$/, ''), name] as const);
  return archive({
    ...OFFICE,
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relations(...targets),
    ...Object.fromEntries(Object.entries(parts).map(([name, text]) => [`word/${name}`, text])),
  });
}

export const p = (text: string, properties = ''): string => `<w:p><w:pPr>${properties}</w:pPr>${r(text)}</w:p>`;
export const r = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;

/** A workbook with one sheet. */
export function xlsx(sheet: string, parts: Files = {}, workbook = ''): Uint8Array<ArrayBuffer> {
  return archive({
    ...OFFICE,
    'xl/workbook.xml': `<workbook>${workbook}<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ['r1', 'worksheet', 'worksheets/sheet1.xml'],
      ['r2', 'styles', 'styles.xml'],
      ['r3', 'sharedStrings', 'sharedStrings.xml'],
    ),
    'xl/worksheets/sheet1.xml': `<worksheet>${sheet}</worksheet>`,
    ...parts,
  });
}

/** A workbook with this value in a cell of this number format. */
export function formatted(value: string, format: string): Uint8Array<ArrayBuffer> {
  return xlsx(`<sheetData><row><c s="0"><v>${value}</v></c></row></sheetData>`, {
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${format.replaceAll('"', '&quot;')}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`,
  });
}

export function slides(...shown: readonly string[]): Uint8Array<ArrayBuffer> {
  return archive({
    ...OFFICE,
    'ppt/presentation.xml': `<p:presentation>${shown.map((_, index) => `<p:sldId id="25${index}" r:id="r${index}"/>`).join('')}</p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      ...shown.map((_, index) => [`r${index}`, 'slide', `slides/s${index}.xml`] as const),
    ),
    ...Object.fromEntries(shown.map((text, index) => [`ppt/slides/s${index}.xml`, text])),
  });
}

export function openDocument(content: string, kind = 'text', styles = ''): Uint8Array<ArrayBuffer> {
  return archive({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content>${content}</office:document-content>`,
    'styles.xml': styles,
  });
}

export function latin(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
