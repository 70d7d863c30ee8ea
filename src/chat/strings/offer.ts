import { localized } from './language.ts';

/** The offer of a real model in place of Pocket. */
export const offerStrings = localized('offerStrings', {
  title: 'Pocket is a demonstration. Get a real one',
  fits: (name: string, size: string) => `${name} suits this device: ${size}, and it works offline afterwards.`,
  get: (name: string, size: string) => `Get ${name}, ${size}`,
  others: 'Other models',
  ownFile: 'I have a GGUF file',
  declined: 'This needs a real model.',
  getAndAsk: (name: string, size: string) => `Get ${name}, ${size}, and ask this again`,
  askWith: (name: string) => `Ask ${name}`,
  coming: (name: string) => `${name} is on its way. It answers this as soon as it is here.`,
});
