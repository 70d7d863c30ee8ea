import { REFUSALS } from './refusal-texts.ts';

/**
 * Words by which a language with Latin or Cyrillic letters is recognised: those with which questions and requests begin,
 * and the most frequent others. A word may stand in several lists; then the other words of a question decide. The last
 * languages, from `ca` on, have no refusal of their own. They are listed so that they are not taken for a similar language.
 */
const WORDS: Readonly<Record<string, string>> = {
  en: 'the a an of is are was were what who how why when where which can could you your me my i do does did please tell write explain make give to for in and about with it that this should would will weather tomorrow today hello good not have has we they one more best long much many play some plan help recommend translate summarise summarize',
  de: 'der die das den dem ein eine einen einer ist sind war wer wie was warum wann wo welche welcher kann kannst du mir mich mein meine ich bitte sag erzähl schreib schreibe erkläre mach gib zu für in und über mit nicht auf von im wird wetter morgen heute hallo guten noch werden hat haben sie er es wir soll alle mehr lange viel viele hilf empfiehl übersetze plane alt',
  fr: 'le la les un une des du de est sont qui que quoi quel quelle comment pourquoi quand où peux tu moi mon ma mes je dis raconte écris explique fais donne pour dans et sur avec ce cette pas il elle ne au aux a fait temps demain bonjour nous vous faire faut ai as cet plus combien aide recommande traduis bonsoir salut',
  es: 'el la los las un una de del es son quién quien qué que cuál cuánto cómo como por cuándo dónde puedes puede tú me mi yo dime cuéntame escribe explica explícame haz dame para en y sobre con no se al está tiempo mañana hola hay hace hacer nos más mucho cuántos cuántas presidente ayúdame recomiéndame recomienda traduce buenos buenas días cuantos cuantas tengo tiene',
  it: 'il lo la gli le i un una di del della è sono chi che cosa cos qual quale quanto come perché quando dove puoi tu mi mio io dimmi racconta scrivi spiega spiegami fai dammi per in e su con non si al ha tempo domani ciao fa fare farà più quanti sei siamo nel dei delle consigliami consiglia aiutami traduci buongiorno tutti',
  pt: 'o a os as um uma de do da dos é são quem que qual quais quanto como porque por quando onde pode você tu me meu minha eu diga conte escreva explica explique faça dá para em e sobre com não se ao no na tempo amanhã olá está fazer nós mais muito quantos fica ajude recomende traduza bom boa dia tem',
  nl: 'de het een van is zijn was wie wat hoe waarom wanneer waar welke kan kun je jij mij me mijn ik vertel schrijf leg uit maak geef voor in en over met niet op te naar dit dat wordt weer morgen hallo hoi heeft hebben wij ze meer veel maken welk',
  sv: 'en ett den det de är var vem vad hur varför när vilken vilket kan du mig min jag berätta skriv förklara gör ge för i och om med inte på av till som har blir väder morgon hej hjälpa mitt mina dig vi gå mycket många rekommendera översätt tack bor',
  da: 'en et den det de er var hvem hvad hvordan hvorfor hvornår hvor hvilken kan du mig min jeg fortæl skriv forklar lav giv for i og om med ikke på af til som har at laver lave virker vejr vejret bliver hej dig mit mine noget meget mange gør blive malet himlen bor der oversæt tak',
  nb: 'en et ei den det de er var hvem hva hvordan hvorfor når hvor hvilken kan du meg min jeg fortell skriv forklar lag gi for i og om med ikke på av til som har å lager lage virker vær været blir hei deg mitt mine noe mye mange gjør bli malt himmelen oversett takk bor',
  fi: 'on ovat oli kuka mikä mitä miten miksi milloin missä mikä kuinka voitko voi sinä minulle minun minä kerro kirjoita selitä tee anna ja tai ei että se tämä mutta kun kanssa sää huomenna hei moi tänään millainen paljon monta olen olet haluan auta minua suosittele hyvää käännä kiitos',
  pl: 'jest są był kto co jak dlaczego kiedy gdzie który która jaka jaki jakie czy możesz ty mi mój ja powiedz opowiedz napisz wyjaśnij zrób daj dla w i o z nie na do się to od będzie jutro pogoda cześć zrobić mam ma mnie ile dużo pomóż poleć przetłumacz dzień dobry',
  cs: 'je jsou byl kdo co jak proč kdy kde který která jaké jaký může můžeš ty mi můj já řekni napiš vysvětli udělej dej pro v a o s ne na do se to od že bude zítra počasí ahoj mám kolik jaká den hodně říct pomoz doporuč přelož dobrý dobrou',
  hu: 'a az egy van vannak volt ki mi mit hogyan miért mikor hol melyik tudsz tud te nekem én mondj mondd írj magyarázd csinálj adj és vagy nem hogy ez azt meg egyik lesz holnap idő szia kell lehet mennyi sok hány segíts ajánlj fordítsd köszönöm jó lakosa',
  ro: 'este sunt era cine ce cum de când unde care poți poate tu mie mea eu spune scrie explică fă dă pentru în și sau despre cu nu la din un o pe să lui va fi vremea mâine bună salut pot cât câte mult face fac',
  tr: 'bir bu şu ve ile için mi mı mu mü kim ne nasıl neden niçin zaman nerede hangi misin bana benim ben anlat yaz açıkla yap ver kaç nedir var değil da de olan yarın hava olacak merhaba yapılır yaptı çok',
  vi: 'là ai gì sao như thế nào tại khi đâu bạn tôi hãy kể viết giải thích làm cho của và về với không có một những các được trong cái này xin chào bao nhiêu giúp',
  id: 'adalah yang siapa apa bagaimana mengapa kenapa kapan mana bisakah bisa kamu anda saya tolong ceritakan tulis jelaskan buat beri untuk di dan tentang dengan tidak ini itu dari ke apakah dimana cuaca besok halo cara membuat mau karena banyak berapa saja',
  ru: 'кто что как почему когда где какой какая какие сколько можешь ты мне мой я расскажи напиши объясни сделай дай для в и о с не на это из по есть зачем будет завтра погода привет приготовить сделать много был была мы вы он она посоветуй помоги переведи хорошую спасибо',
  uk: 'хто що як чому коли де який яка які скільки можеш ти мені мій я розкажи напиши поясни зроби дай для в і про з не на це із та є й у буде завтра погода привіт зробити багато був була ми ви він вона допоможи порадь переклади дякую',
  bg: 'кой какво как защо кога къде коя кое колко можеш ти ми мой аз разкажи напиши обясни направи дай за в и с не на това от по е са да се със ще бъде времето утре здравей прави много беше ние вие той тя',
  ca: 'el la els les un una de és són qui què quin quina com per quan on pots em meu jo digues escriu explica fes dona i amb no amb del dels aquest perquè quant',
  gl: 'o a os as un unha de do da é son quen que cal como por cando onde podes me meu eu dime escribe explica fai dá para en e con non unha máis',
  af: 'die n van is was wie wat hoe hoekom wanneer waar watter kan jy my ek vertel skryf verduidelik maak gee vir in en oor met nie op te dit om het hierdie se',
  sk: 'je sú bol kto čo ako prečo kedy kde ktorý ktorá aké aký môže môžeš ty mi môj ja povedz napíš vysvetli urob daj pre v a o s nie na do sa to od že',
  sl: 'je so bil kdo kaj kako zakaj kdaj kje kateri katera ali lahko ti mi moj jaz povej napiši razloži naredi daj za v in o z ne na do se to od',
  hr: 'je su bio tko ko što šta kako zašto kada gdje gde koji koja li možeš ti mi moj ja reci napiši objasni napravi daj za u i o s ne na do se to od da',
  et: 'on oli kes mis mida kuidas miks millal kus milline kas saad sa mulle minu ma räägi kirjuta selgita tee anna ja või ei et see aga koos',
  lt: 'yra buvo kas ką kaip kodėl kada kur kuris ar gali tu man mano aš papasakok parašyk paaiškink padaryk duok ir apie su ne kad iš tai',
  lv: 'ir bija kas ko kā kāpēc kad kur kurš vai vari tu man mans es pastāsti uzraksti paskaidro uztaisi dod un par ar nav ka no tas',
  is: 'er eru var hver hvað hvernig hvers vegna hvenær hvar hvaða getur þú mér minn ég segðu skrifaðu útskýrðu gefðu og um með ekki á af til sem að hverju',
  ms: 'ialah adalah yang siapa apa bagaimana mengapa bila mana bolehkah boleh awak kamu anda saya sila ceritakan tulis terangkan buat beri untuk di dan tentang dengan tidak ini itu dari ke adakah kenapa kerana nak hendak cuaca esok bagaimanakah cara',
  sq: 'është janë kush çfarë si pse kur ku cili mund ti më mua im unë trego shkruaj shpjego bëj jep për në dhe me nuk një të e i',
  sw: 'ni nani nini vipi kwa lini wapi gani unaweza wewe mimi yangu niambie andika eleza fanya nipe na ya wa katika kuhusu si hii hiyo',
  ga: 'is tá cé cad conas fáth cathain cá an na mé tú inis scríobh mínigh déan tabhair le agus i ar ní sin seo',
  cy: 'mae yw pwy beth sut pam pryd ble pa y yr fi ti dywed ysgrifennwch eglurwch gwnewch rhowch i a am gyda nid hyn',
  sr: 'је су био ко шта како зашто када где који која ли можеш ти ми мој ја реци напиши објасни направи дај за у и о с не на до се то од да',
  mk: 'е се беше кој што како зошто кога каде која дали можеш ти ми мој јас кажи напиши објасни направи дај за во и со не на да од ова',
  kk: 'кім не қалай неге қашан қайда қандай сен маған менің мен айт жаз түсіндір жаса бер үшін және туралы бұл бар',
};

/** Alphabets and letters that only one of these languages has. An empty language has no refusal of its own. */
const LETTERS: readonly (readonly [RegExp, string])[] = [
  [/[\u3040-\u30ff]/, 'ja'],
  [/[\uac00-\ud7af\u1100-\u11ff]/, 'ko'],
  [/[\u4e00-\u9fff\u3400-\u4dbf]/, 'zh'],
  [/[\u0e00-\u0e7f]/, 'th'],
  [/[\u0590-\u05ff]/, 'he'],
  [/[\u0370-\u03ff\u1f00-\u1fff]/, 'el'],
  [/[ٹڈڑںے]/, ''],
  [/[ەۆێڵڕېۇۈ]/, ''],
  [/[پچژگکی]/, 'fa'],
  [/[\u0600-\u06ff]/, 'ar'],
  // Marathi and Nepali words that Hindi does not have; they use the same alphabet.
  [/(?<!\p{L})(?:आहे|काय|कसे|मला|छ|हो|कसरी|मलाई|के छ)(?![\p{L}\p{M}])/u, ''],
  [/[\u0900-\u097f]/, 'hi'],
  [/[ơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/, 'vi'],
  [/[ђћџљњј]/, 'sr'],
  [/[әғқңөұүһ]/, 'kk'],
  [/[їєґ]/, 'uk'],
  [/[ыэё]/, 'ru'],
  [/[őű]/, 'hu'],
  [/[ğı]/, 'tr'],
  [/[ľĺŕ]/, 'sk'],
  [/[řěů]/, 'cs'],
  [/[łżźśń]/, 'pl'],
  [/ß/, 'de'],
  [/[ñ¿¡]/, 'es'],
  [/[ășț]/, 'ro'],
  [/[þð]/, 'is'],
  [/[āēīķļņ]/, 'lv'],
  [/[ėųįū]/, 'lt'],
];

/** Letters and endings that several languages have, with these languages. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/ö/, 'de sv fi hu tr is et'],
  [/ä/, 'de sv fi sk et'],
  [/å/, 'sv da nb'],
  [/[øæ]/, 'da nb'],
  [/[ãõ]/, 'pt'],
  [/ç/, 'fr pt tr ca sq'],
  [/[èù]/, 'fr it ca'],
  [/[êôœ]/, 'fr pt'],
  [/[ąę]/, 'pl lt'],
  [/ć/, 'pl hr'],
  [/[čšž]/, 'cs sk sl hr lt lv'],
  [/[âî]/, 'ro fr'],
  [/ь/, 'ru uk'],
  [/ъ|(?:та|ят)(?!\p{L})/u, 'bg mk'],
];

const SETS = Object.entries(WORDS).map(([language, words]) => [language, new Set(words.split(' '))] as const);

/**
 * Recognises the language of a question by its letters, then by its most common words.
 * @returns The tag of a language in which Pocket refuses, such as `de`; null if none is more likely than all others.
 */
export function questionLanguage(question: string): string | null {
  const text = question.toLowerCase().normalize('NFC');
  const byLetters = LETTERS.find(([letters]) => isIn(letters, text));
  if (byLetters !== undefined) return byLetters[1] in REFUSALS ? byLetters[1] : null;
  const words = text.match(/\p{L}+/gu) ?? [];
  const hints = HINTS.flatMap(([letters, languages]) => (letters.test(text) ? languages.split(' ') : []));
  const scores = SETS.map(([language, known]) => {
    const found = words.filter((word) => known.has(word)).map((word) => Math.min(word.length, 3));
    const hinted = 2 * hints.filter((hint) => hint === language).length;
    return { language, score: found.reduce((sum, weight) => sum + weight, hinted) };
  }).filter(({ score }) => score > 1);
  const highest = Math.max(...scores.map(({ score }) => score));
  const best = scores.filter(({ score }) => score === highest).map(({ language }) => language);
  const answered = best.filter((language) => language in REFUSALS);
  return answered.length === 1 ? answered[0]! : null;
}

/** Whether an alphabet is used, rather than quoted in one word of a longer question. */
function isIn(letters: RegExp, text: string): boolean {
  const words = text.match(/[\p{L}\p{M}¿¡]+/gu) ?? [];
  const found = words.filter((word) => letters.test(word)).length;
  return found > 0 && (words.length <= 2 || found * 6 >= words.length);
}
