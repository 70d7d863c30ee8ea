import type { DocumentProblem } from '../../../shared/documents/document-reading.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** Bytes of a file that must be read as a whole, such as a PDF. */
export const LARGEST_DOCUMENT = 50_000_000;

const TEXT_INSTEAD = 'Convert it to another format, or upload its text.';

/** What a client learns about each problem: whether the format or the file is at fault, and what to do. */
const PROBLEMS: Readonly<Record<DocumentProblem, readonly [code: UnreadableFile['code'], sentence: string]>> = {
  damaged: ['invalid_file', 'The file is damaged: it ends too early, or is not what its first bytes say. Repair it.'],
  locked: ['invalid_file', 'The file needs a password. Save it without one and upload it again.'],
  tooLarge: [
    'invalid_file',
    `The file has more than ${LARGEST_DOCUMENT / 1e6} MB, which is the most that is read of this format. Split it.`,
  ],
  tooComplex: ['invalid_file', 'The file unpacks to too much, or is nested too deeply. Split it, or upload its text.'],
  oldOffice: [
    'unsupported_file',
    'The file is an Office document in the format from before 2007, or encrypted. Save it as .docx, .xlsx or .pptx.',
  ],
  archive: ['unsupported_file', 'The file is an archive. Unpack it, and upload the files in it.'],
  unknownFormat: ['unsupported_file', `Documents of this format are not read here. ${TEXT_INSTEAD}`],
  notText: ['unsupported_file', `The file is neither text nor a document that is read here. ${TEXT_INSTEAD}`],
  noText: ['invalid_file', 'The file contains no text.'],
  onlyPictures: [
    'invalid_file',
    'The PDF contains no text; its pages may be pictures. Upload a version with recognised text.',
  ],
  withoutCmap: [
    'server_error',
    'The characters of the PDF are listed in a file of the site that could not be loaded. Add the file again later.',
  ],
  tooSlow: ['invalid_file', 'Reading the file took too long. Split it, or upload its text.'],
};

export function unreadable(problem: DocumentProblem): UnreadableFile {
  return new UnreadableFile(...PROBLEMS[problem]);
}
