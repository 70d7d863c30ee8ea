import type { Translation } from '../page-language.ts';
import type { offerStrings as english } from '../offer-strings.ts';

export const offerStrings: Translation<typeof english> = {
  title: 'Pocket ist eine Vorführung. Hol dir ein richtiges Modell',
  fits: (name, size, time, speed, isMetered) =>
    [
      ...(isMetered ? [`${size} sind zu laden, über eine Verbindung, die nach Menge kosten kann.`] : []),
      `${name} passt zu diesem Gerät${isMetered ? '' : `: ${time === null ? size : `${size}, ${time} zu laden`}`}.`,
      ...(speed === null ? [] : [speed]),
      'Danach läuft es ohne Netz.',
    ].join(' '),
  get: (name, size) => `${name} holen, ${size}`,
  others: 'Andere Modelle',
  ownFile: 'Ich habe eine GGUF-Datei',
  declined: 'Das braucht ein richtiges Modell.',
  getAndAsk: (name, size) => `${name} holen, ${size}, und das noch einmal fragen`,
  askWith: (name) => `${name} fragen`,
  coming: (name) => `${name} ist unterwegs. Es antwortet hierauf, sobald es da ist.`,
  comingMeanwhile: (name) => `${name} ist unterwegs. Bis es da ist, antwortet Pocket.`,
};
