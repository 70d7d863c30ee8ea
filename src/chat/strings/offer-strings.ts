import { localized } from './page-language.ts';

/** Strings of the offer of a larger model than Pocket. */
export const offerStrings = localized('offerStrings', {
  title: 'Pocket is a demonstration. Get a real one',
  /**
   * @param time Time of the download; null if unknown.
   * @param speed A sentence about the model's speed on this device; null if unknown.
   */
  fits: (name: string, size: string, time: string | null, speed: string | null, isMetered: boolean) =>
    [
      ...(isMetered ? [`${size} to download, on a connection that may cost by the byte.`] : []),
      `${name} suits this device${isMetered ? '' : `: ${time === null ? size : `${size}, ${time} to download`}`}.`,
      ...(speed === null ? [] : [speed]),
      'It works offline afterwards.',
    ].join(' '),
  get: (name: string, size: string) => `Get ${name}, ${size}`,
  others: 'Other models',
  ownFile: 'I have a GGUF file',
  declined: 'This needs a real model.',
  getAndAsk: (name: string, size: string) => `Get ${name}, ${size}, and ask this again`,
  askWith: (name: string) => `Ask ${name}`,
  coming: (name: string) => `${name} is on its way. It answers this as soon as it is here.`,
  comingMeanwhile: (name: string) => `${name} is on its way. Until it is here, Pocket answers.`,
});
