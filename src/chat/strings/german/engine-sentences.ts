import { formatNumber } from '../format.ts';

/**
 * German translations of the engine's messages. They are translated in the page, because one engine serves tabs of any
 * language, so it writes only English. A message that no rule matches stays English; a test checks that every message
 * in the engine's tables is matched.
 */
const RULES: readonly (readonly [english: RegExp, german: string])[] = [
  // Reasons why a model cannot, or may not, run on this device.
  [/^This browser gives no access to a graphics device\.$/, 'Dieser Browser gibt keinen Zugang zu einem Grafikgerät.'],
  [
    /^The graphics device allows no buffer of 256 MB, the least WebLLM works with\.$/,
    'Das Grafikgerät erlaubt keinen Puffer von 256 MB, mit weniger arbeitet WebLLM nicht.',
  ],
  [
    /^The graphics device lets a shader reach less than 128 MB at once\.$/,
    'Auf dem Grafikgerät erreicht ein Shader weniger als 128 MB auf einmal.',
  ],
  [
    /^The graphics device has less than 32 KB of workgroup memory\.$/,
    'Das Grafikgerät hat weniger als 32 KB Speicher je Arbeitsgruppe.',
  ],
  [
    /^The graphics device gives a shader fewer than 10 buffers\.$/,
    'Das Grafikgerät gibt einem Shader weniger als 10 Puffer.',
  ],
  [
    /^It computes with 16-bit numbers \(shader-f16\), which this graphics device or browser lacks\. Take the q4f32 variant\.$/,
    'Es rechnet mit 16-Bit-Zahlen (shader-f16), die diesem Grafikgerät oder Browser fehlen. Nimm die Variante q4f32.',
  ],
  [
    /^It needs the graphics feature (.+), which this device or browser lacks\.$/,
    'Es braucht die Grafikfunktion $1, die diesem Gerät oder Browser fehlt.',
  ],
  [
    /^It probably computes with 16-bit numbers \(shader-f16\), which this graphics device or browser lacks\. The q4f32 variant is safe\.$/,
    'Es rechnet wahrscheinlich mit 16-Bit-Zahlen (shader-f16), die diesem Grafikgerät oder Browser fehlen. Die Variante q4f32 ist sicher.',
  ],
  [
    /^A shader must reach (.+) MB at once; here it reaches (.+) MB\.$/,
    'Ein Shader muss $1 MB auf einmal erreichen; hier erreicht er $2 MB.',
  ],
  [
    /^It needs (.+) MB of graphics memory; the browser speaks of (.+) MB of main memory\.$/,
    'Es braucht $1 MB Grafikspeicher; der Browser spricht von $2 MB Hauptspeicher.',
  ],

  // Reasons why a GGUF model does not run here, or why a file is refused.
  [
    /^This file is the part of a model that sees images \(mmproj\), and cannot answer alone\. Choose it together with the file of its model\.$/,
    'Diese Datei ist der Teil eines Modells, der Bilder sieht (mmproj), und kann nicht allein antworten. Wähle sie zusammen mit der Datei ihres Modells.',
  ],
  [
    /^One of these files is the part of a model that hears \(mmproj\)\. Sounds cannot be sent here: leave it out\.$/,
    'Eine dieser Dateien ist der Teil eines Modells, der hört (mmproj). Töne lassen sich hier nicht senden: Lass sie weg.',
  ],
  [
    /^One of these files is the part of a model that sees images \(mmproj\), but the other model compares texts only: leave the first out\.$/,
    'Eine dieser Dateien ist der Teil eines Modells, der Bilder sieht (mmproj), aber das andere Modell vergleicht nur Texte: Lass die erste weg.',
  ],
  [
    /^The file of (.+) is the part of a model that sees images \(mmproj\)\. The site must name the file of the model as gguf, and this one as mmproj\.$/,
    'Die Datei von $1 ist der Teil eines Modells, der Bilder sieht (mmproj). Die Website muss die Datei des Modells als gguf nennen und diese als mmproj.',
  ],
  [
    /^The file named as mmproj has no image encoder, so the model could see nothing\.(.*)$/,
    'Die als mmproj genannte Datei enthält keinen Bild-Encoder; das Modell könnte nichts sehen.$1',
  ],
  [
    /^The image encoder \(mmproj\) belongs to another model: its vectors are not as long as those of this one\. Take the file that the publisher offers with this model, or add the model without it\.$/,
    'Der Bild-Encoder (mmproj) gehört zu einem anderen Modell: Seine Vektoren sind nicht so lang wie die von diesem. Nimm die Datei, die der Herausgeber mit diesem Modell anbietet, oder füge das Modell ohne sie hinzu.',
  ],
  [
    /^llama\.cpp could not load the model with its image encoder, the file named as mmproj \((.+)\)\. Check that file, or add the model without it\.$/,
    'llama.cpp konnte das Modell nicht mit seinem Bild-Encoder laden, der als mmproj genannten Datei ($1). Prüfe diese Datei, oder füge das Modell ohne sie hinzu.',
  ],
  [
    /^(.+) is a model that computes numbers and writes nothing\. The site must name it with (.+); a model that you added yourself must be deleted and added once more\.$/,
    '$1 ist ein Modell, das Zahlen berechnet und nichts schreibt. Die Website muss es mit $2 nennen; ein Modell, das du selbst hinzugefügt hast, musst du löschen und noch einmal hinzufügen.',
  ],
  [
    /^(.+) is a model that writes and computes no embeddings\. The site must name it without embedding\.$/,
    '$1 ist ein Modell, das schreibt und keine Embeddings berechnet. Die Website muss es ohne embedding nennen.',
  ],
  [
    /^It needs (.+) GB of memory; a browser gives a page at most (.+) GB for it\. Choose a smaller one\.$/,
    'Es braucht $1 GB Speicher; ein Browser gibt einer Seite höchstens $2 GB dafür. Wähle ein kleineres.',
  ],
  [
    /^It needs (.+) GB of memory; the browser speaks of (.+) GB in all, for everything\.$/,
    'Es braucht $1 GB Speicher; der Browser spricht von $2 GB für alles zusammen.',
  ],
  [
    /^The file says nothing about how the model chats, so it may only continue texts\.$/,
    'Die Datei sagt nicht, wie das Modell chattet; vielleicht setzt es Texte nur fort.',
  ],
  [
    /^It runs on the processor and writes slowly there, perhaps slower than you read\.$/,
    'Es läuft auf dem Prozessor und schreibt dort langsam, vielleicht langsamer, als du liest.',
  ],
  [
    /^The model is split into (.+) files\. Choose them all together; these are missing: (.+)\.$/,
    'Das Modell ist in $1 Dateien geteilt. Wähle sie alle zusammen; es fehlen: $2.',
  ],
  [
    /^These are several models\. Choose one, or all the files of one that is split\.$/,
    'Das sind mehrere Modelle. Wähle eines oder alle Dateien eines geteilten.',
  ],
  [
    /^This is no address\. Expected is https:\/\/…\/model\.gguf, or hf:owner\/repository\.$/,
    'Das ist keine Adresse. Erwartet wird https://…/modell.gguf oder hf:besitzer/repository.',
  ],
  [/^(.+) has no GGUF file (.*)\. It has: (.+)\.$/, '$1 hat keine GGUF-Datei $2. Vorhanden: $3.'],
  [
    /^The file is no GGUF file: it does not begin with these four letters\.$/,
    'Die Datei ist keine GGUF-Datei: Sie beginnt nicht mit diesen vier Buchstaben.',
  ],
  [
    /^The file has version (.+) of GGUF; versions 2 and 3 can be read\.$/,
    'Die Datei hat die GGUF-Version $1; lesbar sind die Versionen 2 und 3.',
  ],
  [
    /^The file ends too early: it was not copied completely\.$/,
    'Die Datei endet zu früh: Sie wurde nicht ganz kopiert.',
  ],
  [/^The header of the file is longer than 64 MB\.$/, 'Der Kopf der Datei ist länger als 64 MB.'],
  [
    /^The file is damaged: its header announces (.+) items where at most (.+) can be\.$/,
    'Die Datei ist beschädigt: Ihr Kopf kündigt $1 Einträge an, wo höchstens $2 sein können.',
  ],
  [
    /^The file is damaged: its header has arrays of arrays\.$/,
    'Die Datei ist beschädigt: Ihr Kopf hat Listen von Listen.',
  ],
  [
    /^The file is damaged: its header has a value of the unknown type (.+)\.$/,
    'Die Datei ist beschädigt: Ihr Kopf hat einen Wert der unbekannten Art $1.',
  ],
  [
    /^The file does not say which architecture its model has\.$/,
    'Die Datei sagt nicht, welche Architektur ihr Modell hat.',
  ],

  // Progress of loading a model.
  [/^Starting to load$/, 'Das Laden beginnt'],
  [/^Looking for the files of the model$/, 'Sucht die Dateien des Modells'],
  [/^Downloading the model, (.+) of (.+) MB$/, 'Das Modell wird heruntergeladen, $1 von $2 MB'],
  [/^Loading the model onto the graphics device, (.+)$/, 'Das Modell wird auf das Grafikgerät geladen, $1'],
  [/^Preparing the graphics device's programs, (.+)$/, 'Die Programme des Grafikgeräts werden vorbereitet, $1'],
  [
    /^Checking once whether prompts can be cached on this device, step (.+) of (.+)$/,
    'Prüft einmalig, ob sich Prompts auf diesem Gerät zwischenspeichern lassen, Schritt $1 von $2',
  ],
  [/^Loading the model into main memory$/, 'Das Modell wird in den Hauptspeicher geladen'],
  [
    /^(.+) needs WebGPU, which this browser does not offer\. Choose a GGUF model, which runs on the processor\.$/,
    '$1 braucht WebGPU, das dieser Browser nicht bietet. Wähle ein GGUF-Modell, das auf dem Prozessor läuft.',
  ],
  [/^The browser gets its own model, (.+)$/, 'Der Browser holt sein eigenes Modell, $1'],
  [/^The model is ready$/, 'Das Modell ist bereit'],

  // Reasons why a download failed.
  [/^The connection to (.+) failed while fetching (.+)\.$/, 'Die Verbindung zu $1 brach ab, während $2 geholt wurde.'],
  [
    /^This site's Content-Security-Policy blocks (.+): (.+)\.$/,
    'Die Content-Security-Policy dieser Website sperrt $1: $2.',
  ],
  [
    /^(.+) redirects (.+) to a host that this site's Content-Security-Policy does not allow\.$/,
    '$1 leitet $2 zu einem Host weiter, den die Content-Security-Policy dieser Website nicht erlaubt.',
  ],
  [/^(.+) sent nothing of (.+) for 30 seconds\.$/, '$1 hat 30 Sekunden lang nichts von $2 gesendet.'],
  [/^(.+) answered (\d+) for (.+)\.$/, '$1 hat auf $3 mit $2 geantwortet.'],
  [/^The browser had no room left for (.+)\.$/, 'Der Browser hatte keinen Platz mehr für $1.'],
  [
    /^The model needs (.+) MB more and the browser grants this site (.+) MB\.$/,
    'Das Modell braucht noch $1 MB, und der Browser gewährt dieser Website $2 MB.',
  ],
  [
    /^(.+) has more than the (.+) bytes the package announces; (.+) bytes came\.$/,
    '$1 ist größer als die $2 Byte, die das Paket ankündigt; $3 Byte kamen an.',
  ],
  [
    /^(.+) ended after (.+) bytes where the package announces (.+) bytes\.$/,
    '$1 endete nach $2 Byte, das Paket kündigt $3 Byte an.',
  ],
  [
    /^(.+) arrived with the checksum (.+) where the package says (.*)\.$/,
    '$1 kam mit der Prüfsumme $2 an, das Paket nennt $3.',
  ],
  [/^(.+) names a file outside its own package: (.+)\.$/, '$1 nennt eine Datei außerhalb seines eigenen Pakets: $2.'],
  [/^(.+) cannot be read from your disk any more\.$/, '$1 kann nicht mehr von deinem Datenträger gelesen werden.'],
  [
    /^Choose the same file once more\. What has been copied is kept\.$/,
    'Wähle dieselbe Datei noch einmal. Was kopiert ist, bleibt.',
  ],
  [/^The browser could not store (.+)\.$/, 'Der Browser konnte $1 nicht speichern.'],
  [/^(.+) is not (.+)\.$/, '$1 ist nicht, was es sein soll ($2).'],
  [
    /^Another tab with another version of this page is downloading this model already\.$/,
    'Ein anderer Tab mit einer anderen Version dieser Seite lädt dieses Modell schon herunter.',
  ],
  [
    /^The browser's Cache Storage, which holds the files of this site, does not respond\. Close all windows of the browser and start it again: reloading the page does not help\.$/,
    'Der Cache-Speicher des Browsers mit den Dateien dieser Website antwortet nicht. Schließe alle Fenster des Browsers und starte ihn neu: Die Seite neu zu laden hilft nicht.',
  ],
  [/^Something went wrong inside Tabserve\.$/, 'In Tabserve ist etwas schiefgegangen.'],
  [
    /^(.+) could not be read: most likely it is damaged\.$/,
    '$1 konnte nicht gelesen werden: Wahrscheinlich ist die Datei beschädigt.',
  ],

  // Advice after a failed download.
  [
    /^The copy on the server is damaged or was changed meanwhile: cancel and download afresh, or choose another model\.$/,
    'Die Kopie auf dem Server ist beschädigt oder wurde inzwischen geändert: Brich ab und lade neu herunter, oder wähle ein anderes Modell.',
  ],
  [
    /^Choose another package, or correct the list at (.+): the files of a package must lie below its own address\.$/,
    'Wähle ein anderes Paket oder berichtige die Liste unter $1: Die Dateien eines Pakets müssen unter seiner eigenen Adresse liegen.',
  ],
  [/^Check the network and resume\.$/, 'Prüfe das Netz und setze fort.'],
  [
    /^Check the network, and whether this site's Content-Security-Policy and (.+) itself allow the download from here\.$/,
    'Prüfe das Netz, und ob die Content-Security-Policy dieser Website und $1 selbst den Download von hier erlauben.',
  ],
  [
    /^Open (.+) to see which host that is, and add its origin to the directive (.+) in the header of the engine worker's script\.$/,
    'Öffne $1, um zu sehen, welcher Host das ist, und ergänze seinen Origin in der Direktive $2 im Header des Engine-Worker-Skripts.',
  ],
  [
    /^Add its origin to the directive (.+) in the header of the engine worker's script\.$/,
    'Ergänze den Origin in der Direktive $1 im Header des Engine-Worker-Skripts.',
  ],
  [
    /^Check the network and resume\. What has arrived is kept\.$/,
    'Prüfe das Netz und setze fort. Was angekommen ist, bleibt.',
  ],
  [
    /^Delete a model here or free disk space, then resume\. What has arrived is kept\.$/,
    'Lösche hier ein Modell oder schaffe Platz, dann setze fort. Was angekommen ist, bleibt.',
  ],
  [
    /^Delete a model here, free disk space or choose a smaller model, then resume\.$/,
    'Lösche hier ein Modell, schaffe Platz oder wähle ein kleineres Modell, dann setze fort.',
  ],
  [
    /^Free disk space and resume\. In a private window, use a normal one\.$/,
    'Schaffe Platz und setze fort. Nimm statt eines privaten Fensters ein gewöhnliches.',
  ],
  [
    /^Open (.+) to see what is there: a sign-in page or a wrong address are the usual reasons\.$/,
    'Öffne $1, um zu sehen, was dort liegt: Meist ist es eine Anmeldeseite oder eine falsche Adresse.',
  ],
  [/^Reload all tabs of this site, then resume\.$/, 'Lade alle Tabs dieser Website neu, dann setze fort.'],
  [
    /^The browser console has the details\. Resuming may help\.$/,
    'Die Konsole des Browsers hat die Einzelheiten. Fortsetzen kann helfen.',
  ],
  [
    /^The package does not have this file at (.+): check the address, or choose another model\.$/,
    'Das Paket hat diese Datei nicht unter $1: Prüfe die Adresse oder wähle ein anderes Modell.',
  ],
  [
    /^The package does not have this file at (.+): copy the files of the model there, or give its right address\.$/,
    'Das Paket hat diese Datei nicht unter $1: Kopiere die Dateien des Modells dorthin oder gib seine richtige Adresse an.',
  ],
  [/^The package is not public: choose another model\.$/, 'Das Paket ist nicht öffentlich: Wähle ein anderes Modell.'],
  [
    /^The server asks for a pause: resume in a few minutes\.$/,
    'Der Server bittet um eine Pause: Setze in ein paar Minuten fort.',
  ],
  [
    /^The server has trouble: resume later\. What has arrived is kept\.$/,
    'Der Server hat Schwierigkeiten: Setze später fort. Was angekommen ist, bleibt.',
  ],
];

const DELETED = ' Its copy on this device was deleted: load the model again.';

/** Translates a message of the engine; returns it unchanged if no rule matches. */
export function engineSentence(english: string): string {
  if (english.endsWith(DELETED)) {
    const rest = engineSentence(english.slice(0, -DELETED.length));
    return `${rest} Die Kopie auf diesem Gerät wurde gelöscht: Lade das Modell noch einmal.`;
  }
  // The first matching rule wins, so general ones come last.
  const rule = RULES.find(([pattern]) => pattern.test(english));
  const found = rule?.[0].exec(english);
  return rule === undefined || !found
    ? english
    : rule[1].replace(/\$(\d)/g, (_, group) => inGerman(found[Number(group)]!));
}

/** Formats a captured number for German; a captured name stays unchanged. */
function inGerman(value: string): string {
  return /^\d[\d,]*(\.\d+)?$/.test(value) ? formatNumber(Number(value.replaceAll(',', '')), 1) : value;
}
