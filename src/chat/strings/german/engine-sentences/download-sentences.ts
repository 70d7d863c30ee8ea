import type { EngineSentences, SentenceTable } from '../../../../shared/coded-sentence.ts';
import { formatNumber } from '../../format.ts';

/** Why a download failed, and what to do about it. */
export const downloadSentences = {
  connectionFailed: (host, file) => `Die Verbindung zu ${host} brach ab, während ${file} geholt wurde.`,
  siteIsStrict: (host) =>
    `Diese Website ist streng: Sie nimmt keine Modelle von anderen Hosts an. Von ${host} wurde nichts angefordert.`,
  policyBlocks: (file, url) => `Die Content-Security-Policy dieser Website sperrt ${file}: ${url}.`,
  policyBlocksRedirect: (host, file) =>
    `${host} leitet ${file} zu einem Host weiter, den die Content-Security-Policy dieser Website nicht erlaubt.`,
  serverSilent: (host, file) => `${host} hat 30 Sekunden lang nichts von ${file} gesendet.`,
  serverAnswered: (host, status, file) => `${host} hat auf ${file} mit ${status} geantwortet.`,
  noRoomForFile: (file) => `Der Browser hatte keinen Platz mehr für ${file}.`,
  noRoomForModel: (neededBytes, freeBytes) =>
    `Das Modell braucht noch ${inMegabytes(neededBytes)}, und der Browser gewährt dieser Website ${inMegabytes(freeBytes)}.`,
  fileTooLong: (file, announcedBytes, receivedBytes) =>
    `${file} ist größer als die ${inBytes(announcedBytes)}, die das Paket ankündigt; ${inBytes(receivedBytes)} kamen an.`,
  fileTooShort: (file, receivedBytes, announcedBytes) =>
    `${file} endete nach ${inBytes(receivedBytes)}, das Paket kündigt ${inBytes(announcedBytes)} an.`,
  wrongChecksum: (file, received, announced) =>
    `${file} kam mit der Prüfsumme ${received} an, das Paket nennt ${announced}.`,
  fileUnreadable: (file) => `${file} kann nicht mehr von deinem Datenträger gelesen werden.`,
  fileNotStored: (file) => `Der Browser konnte ${file} nicht speichern.`,
  wrongContent: (file, expected) => `${file} ist nicht, was es sein soll (${expected}).`,
  fileReplaced: (file) => `${file} ist nicht mehr die Datei von vorher.`,
  fileOutsidePackage: (file, address) => `${file} nennt eine Datei außerhalb seines eigenen Pakets: ${address}.`,
  downloadsInOtherTab: 'Ein anderer Tab mit einer anderen Version dieser Seite lädt dieses Modell schon herunter.',
  internalFault: 'In Tabserve ist etwas schiefgegangen.',
  fileDamaged: (file) => `${file} konnte nicht gelesen werden: Wahrscheinlich ist die Datei beschädigt.`,

  takeModelOfSite: 'Nimm ein Modell der Website oder eine Datei von deinem Datenträger.',
  checkNetwork: 'Prüfe das Netz und setze fort.',
  checkNetworkKept: 'Prüfe das Netz und setze fort. Was angekommen ist, bleibt.',
  checkNetworkAndPolicy: (host) =>
    `Prüfe das Netz, und ob die Content-Security-Policy dieser Website und ${host} selbst den Download von hier erlauben.`,
  addOrigin: (directive) => `Ergänze den Origin in der Direktive ${directive} im Header des Engine-Worker-Skripts.`,
  addOriginOfRedirect: (url, directive) =>
    `Öffne ${url}, um zu sehen, welcher Host das ist, und ergänze seinen Origin in der Direktive ${directive} im Header des Engine-Worker-Skripts.`,
  checkAddress: (url) =>
    `Das Paket hat diese Datei nicht unter ${url}: Prüfe die Adresse oder wähle ein anderes Modell.`,
  copyFilesTo: (url) =>
    `Das Paket hat diese Datei nicht unter ${url}: Kopiere die Dateien des Modells dorthin oder gib seine richtige Adresse an.`,
  packageNotPublic: 'Das Paket ist nicht öffentlich: Wähle ein anderes Modell.',
  serverAsksForPause: 'Der Server bittet um eine Pause: Setze in ein paar Minuten fort.',
  serverHasTrouble: 'Der Server hat Schwierigkeiten: Setze später fort. Was angekommen ist, bleibt.',
  freeSpaceKept: 'Lösche hier ein Modell oder schaffe Platz, dann setze fort. Was angekommen ist, bleibt.',
  freeSpaceOrSmaller: 'Lösche hier ein Modell, schaffe Platz oder wähle ein kleineres Modell, dann setze fort.',
  freeDiskSpace: 'Schaffe Platz und setze fort. Nimm statt eines privaten Fensters ein gewöhnliches.',
  downloadAfresh:
    'Die Kopie auf dem Server ist beschädigt oder wurde inzwischen geändert: Brich ab und lade neu herunter, oder wähle ein anderes Modell.',
  chooseFileAgain: 'Wähle dieselbe Datei noch einmal. Was kopiert ist, bleibt.',
  openAddress: (url) =>
    `Öffne ${url}, um zu sehen, was dort liegt: Meist ist es eine Anmeldeseite oder eine falsche Adresse.`,
  correctList: (url) =>
    `Wähle ein anderes Paket oder berichtige die Liste unter ${url}: Die Dateien eines Pakets müssen unter seiner eigenen Adresse liegen.`,
  reloadAllTabs: 'Lade alle Tabs dieser Website neu, dann setze fort.',
  seeConsole: 'Die Konsole des Browsers hat die Einzelheiten. Fortsetzen kann helfen.',
  loadAgainAfterDeletion: 'Die Kopie auf diesem Gerät wurde gelöscht: Lade das Modell noch einmal.',
} satisfies Partial<SentenceTable<EngineSentences>>;

function inBytes(bytes: number): string {
  return `${formatNumber(bytes)} Byte`;
}

function inMegabytes(bytes: number): string {
  return `${formatNumber(Math.max(0, bytes / 1e6))} MB`;
}
