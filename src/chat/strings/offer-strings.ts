import { localized } from './page-language.ts';

/** Strings of the offer of a larger model than Pocket. */
export const offerStrings = localized('offerStrings', {
  title: 'Pocket is only a demo. Get a real model',
  /** How the models were chosen. */
  reasons: {
    suits: 'Chosen for the memory and speed of this device. Works offline once downloaded.',
    slow: 'This device is slow for language models, so a small one comes first.',
    metered: 'You may pay for data on this connection, so mind the size.',
  },
  /**
   * @param time Time of the download; null if unknown.
   * @param speed Speed of the model on this device; null if unknown.
   */
  facts: (size: string, time: string | null, speed: string | null) => [
    `${size} to download${time === null ? '' : `, ${time}`}`,
    ...(speed === null ? [] : [`writes ${speed}`]),
  ],
  download: 'Download',
  get: (name: string, size: string) => `Download ${name}, ${size}`,
  others: 'Other models',
  ownFile: 'I have a GGUF file',
  declined: 'A larger model may be able to answer this.',
  getAndAsk: (name: string, size: string) => `Get ${name}, ${size}, and ask this again`,
  askWith: (name: string) => `Ask ${name}`,
  coming: (name: string) => `${name} is downloading. It will answer this as soon as it is here.`,
  comingMeanwhile: (name: string) => `${name} is downloading. Until it is here, Pocket answers.`,
  comingForFiles: (name: string) => `${name} is downloading. Send your question once it is here.`,
  nothingSuits: 'Larger models would be too slow or too large for this device.',
});
