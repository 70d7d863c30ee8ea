import { formatBytes, formatCount, formatNumber } from './format.ts';
import { localized } from './page-language.ts';

export const ggufStrings = localized('ggufStrings', {
  title: 'A GGUF model of your own',
  note: 'A GGUF file is a model in one file, as many publishers offer it. It runs on this device’s graphics processor where the browser allows that, otherwise on its CPU. At first, only its header is read, to find out what it is.',
  choose: 'Choose a file…',
  orDrop: 'Or drop it anywhere on this page.',
  chooseAll:
    'Choose all files of a model that is split, and together with a model the one by which it sees images (mmproj).',
  address: 'Or its address',
  addressHint:
    'https://…/model.gguf, or owner/repository on Hugging Face. The server is asked when you press the button.',
  look: 'Check it',
  reading: 'Reading the header…',

  facts: {
    size: 'Size',
    parameters: 'Parameters',
    weights: 'Weights',
    window: 'Takes in',
    licence: 'Licence',
    architecture: 'Architecture',
    template: 'Chats',
    images: 'Images',
  },
  parameters: (count: number) => formatCount(count),
  window: (tokens: number, most: number | null) =>
    most !== null && most > tokens
      ? `${formatNumber(tokens)} tokens here, of ${formatNumber(most)}`
      : `${formatNumber(tokens)} tokens`,
  template: {
    yes: 'yes, as its file says',
    no: 'its file does not say how',
    compares: 'no, it compares texts by meaning',
    ranks: 'no, it orders texts by what a query asks',
  },
  seesImages: 'yes, by its second file',
  unknown: 'unknown',

  copy: (bytes: number | null) => (bytes === null ? 'Copy it here' : `Copy it here, ${formatBytes(bytes)}`),
  download: (bytes: number | null) => (bytes === null ? 'Download it' : `Download it, ${formatBytes(bytes)}`),
  resume: 'Resume',
  another: 'Choose another',
  added: (id: string) => `${id} is on its way. New chats will use it as soon as it is here.`,
  /** @param ranks Whether it is a reranking model. */
  addedForSearch: (id: string, ranks: boolean) =>
    `${id} is on its way. Then ${ranks ? '' : '/v1/embeddings and '}/v1/rerank can use it.`,
  present: (id: string) => `${id} is on this device already.`,

  unreachable:
    'This file could not be looked at. Check the address. Its server must allow other sites to read the file (CORS), and so must this site’s Content-Security-Policy.',
  offline: 'This device is offline. Try again once there is a network.',
  details: 'Details',
});
