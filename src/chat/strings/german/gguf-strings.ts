import type { ggufStrings as english } from '../gguf-strings.ts';
import { formatBytes, formatCount, formatNumber } from '../format.ts';
import type { Translation } from '../page-language.ts';

export const ggufStrings: Translation<typeof english> = {
  title: 'Ein eigenes GGUF-Modell',
  note: 'Eine GGUF-Datei ist ein Modell in einer Datei, wie viele Herausgeber es anbieten. Es läuft auf dem Grafikprozessor dieses Geräts, wo der Browser das kann, sonst auf dem Prozessor. Zuerst wird nur ihr Kopf gelesen, der sagt, was sie ist.',
  choose: 'Datei wählen …',
  orDrop: 'Oder zieh sie irgendwo auf diese Seite.',
  chooseAll:
    'Wähle alle Dateien eines geteilten Modells, und zusammen mit einem Modell die, mit der es Bilder sieht (mmproj).',
  address: 'Oder ihre Adresse',
  addressHint:
    'https://…/modell.gguf oder besitzer/repository auf Hugging Face. Der Server wird gefragt, wenn du den Knopf drückst.',
  look: 'Prüfen',
  reading: 'Der Kopf wird gelesen …',

  facts: {
    size: 'Größe',
    parameters: 'Parameter',
    weights: 'Gewichte',
    window: 'Nimmt auf',
    licence: 'Lizenz',
    architecture: 'Architektur',
    template: 'Chattet',
    images: 'Bilder',
  },
  parameters: (count) => formatCount(count),
  window: (tokens, most) =>
    most !== null && most > tokens
      ? `hier ${formatNumber(tokens)} von ${formatNumber(most)} Tokens`
      : `${formatNumber(tokens)} Tokens`,
  template: {
    yes: 'ja, wie die Datei es sagt',
    no: 'die Datei sagt nicht, wie',
    compares: 'nein, es vergleicht Texte nach ihrer Bedeutung',
    ranks: 'nein, es ordnet Texte nach einer Frage',
  },
  seesImages: 'ja, mit seiner zweiten Datei',
  unknown: 'unbekannt',

  copy: (bytes) => (bytes === null ? 'Hierher kopieren' : `Hierher kopieren, ${formatBytes(bytes)}`),
  download: (bytes) => (bytes === null ? 'Herunterladen' : `Herunterladen, ${formatBytes(bytes)}`),
  resume: 'Fortsetzen',
  another: 'Ein anderes',
  added: (id) => `${id} ist unterwegs. Neue Chats fragen es, sobald es da ist.`,
  addedForSearch: (id, ranks) =>
    `${id} ist unterwegs. Danach ist es für ${ranks ? '' : '/v1/embeddings und '}/v1/rerank da.`,
  present: (id) => `${id} ist schon auf diesem Gerät.`,

  unreachable:
    'Diese Datei ließ sich nicht ansehen. Prüfe die Adresse. Ihr Server muss anderen Websites erlauben, die Datei zu lesen (CORS), und die Content-Security-Policy dieser Website muss es auch.',
  offline: 'Dieses Gerät ist offline. Versuch es wieder, sobald es ein Netz gibt.',
  details: 'Einzelheiten',
};
