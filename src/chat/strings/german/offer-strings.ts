import type { Translation } from '../page-language.ts';
import type { offerStrings as english } from '../offer-strings.ts';

export const offerStrings: Translation<typeof english> = {
  title: 'Pocket ist nur eine Demo. Hol dir ein richtiges Modell',
  reasons: {
    suits: 'Ausgewählt für Speicher und Tempo dieses Geräts. Läuft nach dem Herunterladen ohne Internet.',
    slow: 'Dieses Gerät ist langsam für Sprachmodelle, deshalb steht ein kleines vorn.',
    metered: 'Diese Verbindung kostet vielleicht nach Datenmenge, achte also auf die Größe.',
  },
  facts: (size, time, speed) => [
    `${size} herunterzuladen${time === null ? '' : `, ${time}`}`,
    ...(speed === null ? [] : [`schreibt ${speed}`]),
  ],
  download: 'Herunterladen',
  get: (name, size) => `Herunterladen: ${name}, ${size}`,
  others: 'Andere Modelle',
  ownFile: 'Ich habe eine GGUF-Datei',
  declined: 'Ein größeres Modell kann das vielleicht beantworten.',
  getAndAsk: (name, size) => `${name} holen, ${size}, und noch einmal fragen`,
  askWith: (name) => `${name} fragen`,
  coming: (name) => `${name} wird heruntergeladen und antwortet hierauf, sobald es da ist.`,
  comingMeanwhile: (name) => `${name} wird heruntergeladen. Bis es da ist, antwortet Pocket.`,
  comingForFiles: (name) => `${name} wird heruntergeladen. Schick deine Frage ab, sobald es da ist.`,
  nothingSuits: 'Größere Modelle wären für dieses Gerät zu langsam oder zu groß.',
};
