import { formatBytes, formatNumber } from './format.ts';
import { localized } from './page-language.ts';

export const attachmentStrings = localized('attachmentStrings', {
  attached: 'Attached files',
  remove: (name: string) => `Remove ${name}`,
  reading: 'reading…',
  tokens: (count: number) => `${formatNumber(count)} ${count === 1 ? 'token' : 'tokens'}`,
  aboutTokens: (count: number) => `about ${formatNumber(count)} tokens`,
  image: 'image',
  notes: {
    cut: 'only its beginning was read',
    smaller: 'made smaller',
    firstPicture: 'only its first picture',
  },
  leftOut: (parts: readonly string[]) => `without ${parts.join(', ')}`,
  leftOutKinds: {
    image: (count: number) => counted(count, 'image'),
    chart: (count: number) => counted(count, 'chart'),
    diagram: (count: number) => counted(count, 'drawing of a diagram', 'drawings of diagrams'),
    object: (count: number) => counted(count, 'embedded object'),
    audio: (count: number) => counted(count, 'sound'),
    video: (count: number) => counted(count, 'video'),
    attachment: (count: number) => counted(count, 'attached file'),
    formula: (count: number) => counted(count, 'result of a formula', 'results of formulas'),
    hidden: (count: number) => counted(count, 'hidden part'),
    pageWithoutText: (count: number) => counted(count, 'page that is a picture', 'pages that are pictures'),
    brokenPart: (count: number) => counted(count, 'broken page'),
    script: (count: number) => counted(count, 'script'),
    time: (count: number) => counted(count, 'time'),
    overwritten: (count: number) => counted(count, 'overwritten line'),
  },
  described: (name: string) => `Image: ${name}`,
  enlarge: (name: string) => `Enlarge the image ${name}`,
  pastedText: 'Pasted text.txt',
  longText: 'A long text, so it is attached as a file.',
  insertText: 'Insert it as text',
  tooLong: (tokens: number) => `Too long for the model: about ${formatNumber(tokens)} tokens fit. Give it`,
  partOf: (name: string) => `What is given of ${name}`,
  parts: { beginning: 'its beginning', passages: 'the passages that fit the question' },
  shown: { whole: '', beginning: 'beginning', passages: 'fitting passages' },

  refused: (names: readonly string[]) => `Not sent: ${names.join(', ')} cannot go with it.`,
  sendWithout: (count: number) => (count === 1 ? 'Send without it' : 'Send without them'),
  notFitted:
    'Not sent: the passages that fit could not be chosen. Give the model the beginning of the file, or try again.',

  nameOnly: 'Only the name of this file was kept when you left the page. Attach it again.',
  unkept: 'This browser cannot keep this file: it will be gone if you close or reload the page.',
  unopened: 'The files attached here cannot be read right now. Reload the page, or attach them again.',

  unreadable: 'This could not be read. If it is a folder, attach the files in it; otherwise choose the file again.',
  empty: 'This file is empty.',
  documentProblems: (largest: number) => ({
    damaged: 'This file is damaged or unsafe, so it was not read.',
    locked: 'This file is locked. Save it without a password, and attach that.',
    tooLarge: `This file is larger than ${formatBytes(largest)}.`,
    tooComplex: 'This file expands to an unreasonable size, so it was not read.',
    oldOffice:
      'This file is locked with a password, or in a format of Office from before 2007. Save it as DOCX, XLSX, PPTX or PDF without a password.',
    archive: 'This is an archive. Unpack it, and attach the files in it.',
    unknownFormat: 'Documents of this format cannot be read here. Save it as DOCX, ODT or PDF.',
    notText: 'This is neither text, a document nor an image, so no model can read it.',
    noText: 'This file has no text.',
    onlyPictures: 'This PDF has no text: its pages may be pictures of a text.',
    withoutCmap:
      'The characters of this PDF could not be looked up: that takes a file of this site which is not on the device yet. Connect to the network, and attach it once more.',
    tooSlow: 'This file takes too long to read.',
  }),
  tooLarge: (bytes: number) => `This file is larger than ${formatBytes(bytes)}.`,
  imageBroken: 'This image cannot be read.',
  imageForeign: (kind: string) => `This browser cannot read images of the kind ${kind}. Save it as a JPEG or PNG.`,
  imageTooLarge: 'This image has too many pixels to be read. Make it smaller first.',
  imagesTooLong: (tokens: number, window: number) =>
    `Images take ${formatNumber(tokens)} tokens, and the model takes in ${formatNumber(window)} at once. Remove some.`,
  imagesUnseen: (model: string) => `${model} cannot see the images of this chat: it is told their names only.`,
  hardlyReads: (model: string) =>
    `${model} can hardly read files: it is a tiny demo model that knows few words. A larger model reads them better.`,
  models: 'Models that see images',
  imageUnseen: (model: string) => `${model} cannot see images. Choose a model that can, or describe it.`,
  encodingAsked: 'The encoding of this text is unclear. Which of these looks right?',
  encodingOf: (name: string) => `Encoding of ${name}`,
  tooMany: (most: number, left: number) =>
    `At most ${formatNumber(most)} files go with one question; ${formatNumber(left)} ${left === 1 ? 'was' : 'were'} left out.`,
});

function counted(count: number, one: string, several = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : several}`;
}
