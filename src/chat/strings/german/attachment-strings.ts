import { formatBytes, formatNumber } from '../format.ts';
import type { Translation } from '../page-language.ts';
import type * as english from '../attachment-strings.ts';

export const attachmentStrings: Translation<typeof english.attachmentStrings> = {
  attached: 'Angehängte Dateien',
  remove: (name) => `${name} entfernen`,
  reading: 'wird gelesen …',
  tokens: (count) => `${formatNumber(count)} Token`,
  aboutTokens: (count) => `etwa ${formatNumber(count)} Token`,
  image: 'Bild',
  notes: {
    cut: 'nur der Anfang wurde gelesen',
    smaller: 'verkleinert',
    firstPicture: 'nur das erste Bild darin',
  },
  leftOut: (parts) => `ohne ${parts.join(', ')}`,
  leftOutKinds: {
    image: (count) => counted(count, 'Bild', 'Bilder'),
    chart: (count) => counted(count, 'Diagramm', 'Diagramme'),
    diagram: (count) => counted(count, 'Zeichnung eines Schaubilds', 'Zeichnungen von Schaubildern'),
    object: (count) => counted(count, 'eingebettetes Objekt', 'eingebettete Objekte'),
    audio: (count) => counted(count, 'Tonaufnahme', 'Tonaufnahmen'),
    video: (count) => counted(count, 'Video', 'Videos'),
    attachment: (count) => counted(count, 'angehängte Datei', 'angehängte Dateien'),
    formula: (count) => counted(count, 'Ergebnis einer Formel', 'Ergebnisse von Formeln'),
    hidden: (count) => counted(count, 'verborgener Teil', 'verborgene Teile'),
    pageWithoutText: (count) => counted(count, 'Seite, die ein Bild ist', 'Seiten, die Bilder sind'),
    brokenPart: (count) => counted(count, 'beschädigte Seite', 'beschädigte Seiten'),
    script: (count) => counted(count, 'Skript', 'Skripte'),
    time: (count) => counted(count, 'Zeitangabe', 'Zeitangaben'),
    overwritten: (count) => counted(count, 'überschriebene Zeile', 'überschriebene Zeilen'),
  },
  described: (name) => `Bild: ${name}`,
  enlarge: (name) => `Bild vergrößern: ${name}`,
  pastedText: 'Eingefügter Text.txt',
  longText: 'Ein langer Text, darum als Datei angehängt.',
  insertText: 'Als Text einfügen',
  tooLong: (tokens) => `Zu lang für das Modell: Etwa ${formatNumber(tokens)} Token passen. Gib ihm`,
  partOf: (name) => `Was von ${name} mitgeht`,
  parts: { beginning: 'den Anfang', passages: 'die Stellen, die zur Frage passen' },
  shown: { whole: '', beginning: 'Anfang', passages: 'passende Stellen' },

  refused: (names) => `Nicht gesendet: ${names.join(', ')} kann nicht mitgehen.`,
  sendWithout: (count) => (count === 1 ? 'Ohne diese Datei senden' : 'Ohne diese Dateien senden'),
  notFitted:
    'Nicht gesendet: Die passenden Stellen konnten nicht ausgewählt werden. Gib dem Modell den Anfang der Datei, oder versuche es noch einmal.',

  nameOnly: 'Von dieser Datei blieb nur der Name, als die Seite verlassen wurde. Hänge sie noch einmal an.',
  unkept:
    'Dieser Browser kann diese Datei nicht behalten: Sie ist fort, wenn die Seite geschlossen oder neu geladen wird.',
  unopened:
    'Die Dateien, die hier warteten, lassen sich jetzt nicht lesen. Lade die Seite neu, oder hänge sie noch einmal an.',

  unreadable:
    'Das ließ sich nicht lesen. Ist es ein Ordner, hänge die Dateien darin an; sonst wähle die Datei noch einmal aus.',
  empty: 'Diese Datei ist leer.',
  documentProblems: (largest) => ({
    damaged: 'Diese Datei ist beschädigt oder nicht sicher und wurde deshalb nicht gelesen.',
    locked: 'Diese Datei ist gesperrt. Speichere sie ohne Passwort, und hänge das an.',
    tooLarge: `Diese Datei ist größer als ${formatBytes(largest)}.`,
    tooComplex: 'Diese Datei ist entpackt weit größer, als sie sein sollte, und wird deshalb nicht gelesen.',
    oldOffice:
      'Diese Datei ist mit einem Passwort gesperrt oder in einem Office-Format von vor 2007. Speichere sie ohne Passwort als DOCX, XLSX, PPTX oder PDF.',
    archive: 'Das ist ein Archiv. Entpacke es, und hänge die Dateien darin an.',
    unknownFormat: 'Dokumente dieses Formats lassen sich hier nicht lesen. Speichere es als DOCX, ODT oder PDF.',
    notText: 'Das ist weder Text noch ein Dokument oder Bild, also kann es kein Modell lesen.',
    noText: 'Diese Datei enthält keinen Text.',
    onlyPictures: 'Dieses PDF enthält keinen Text: Seine Seiten sind vielleicht Bilder eines Textes.',
    withoutCmap:
      'Die Zeichen dieses PDFs ließen sich nicht nachschlagen: Dazu fehlt auf dem Gerät noch eine Datei dieser Seite. Verbinde dich mit dem Netz, und hänge es noch einmal an.',
    tooSlow: 'Diese Datei zu lesen dauert zu lange.',
  }),
  tooLarge: (bytes) => `Diese Datei ist größer als ${formatBytes(bytes)}.`,
  imageBroken: 'Dieses Bild lässt sich nicht lesen.',
  imageForeign: (kind) => `Bilder der Art ${kind} kann dieser Browser nicht lesen. Speichere es als JPEG oder PNG.`,
  imageTooLarge: 'Dieses Bild hat zu viele Bildpunkte, um gelesen zu werden. Verkleinere es zuerst.',
  imagesTooLong: (tokens, window) =>
    `Bilder brauchen ${formatNumber(tokens)} Token, und das Modell nimmt ${formatNumber(window)} auf einmal auf. Entferne einige.`,
  imagesUnseen: (model) => `${model} kann die Bilder dieses Chats nicht sehen: Es erfährt nur ihre Namen.`,
  hardlyReads: (model) =>
    `${model} kann Dateien kaum lesen: Es ist ein winziges Demo-Modell, das wenige Wörter kennt. Ein größeres liest sie besser.`,
  models: 'Modelle, die Bilder sehen',
  imageUnseen: (model) => `${model} kann keine Bilder sehen. Wähle ein Modell, das es kann, oder beschreibe das Bild.`,
  encodingAsked: 'Wie dieser Text gespeichert ist, steht nicht fest. Was davon stimmt?',
  encodingOf: (name) => `Kodierung von ${name}`,
  tooMany: (most, left) =>
    `Höchstens ${formatNumber(most)} Dateien gehen mit einer Frage mit; ${formatNumber(left)} ${left === 1 ? 'wurde' : 'wurden'} weggelassen.`,
};

function counted(count: number, one: string, several: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : several}`;
}
