import type { Ability } from './near-ability.ts';

interface RefusalTexts extends Readonly<Record<Ability, string>> {
  /** Says what Pocket is. */
  readonly what: string;
  /** Begins the sentence about something that Pocket can do. */
  readonly can: string;
  /** The second and each further refusal of a chat. */
  readonly again: string;
}

type Abilities = readonly [sum: string, capital: string, spelling: string, list: string, story: string, term: string];

function texts(what: string, again: string, can: string, abilities: Abilities): RefusalTexts {
  const [sum, capital, spelling, list, story, term] = abilities;
  return { what, again, can, sum, capital, spelling, list, story, term };
}

/** What Pocket says instead of its English refusal, by language. */
export const REFUSALS: Readonly<Record<string, RefusalTexts>> = {
  en: texts(
    'I can’t answer that. I’m Pocket, a tiny demo model that runs in this tab.',
    'Pocket can’t answer this one either.',
    'What I can do:',
    ['small sums', 'capital cities', 'spelling', 'short lists', 'very short stories', 'web terms'],
  ),
  de: texts(
    'Das kann ich nicht beantworten. Ich bin Pocket, ein winziges Demo-Modell in diesem Tab, und kann nur einfaches Englisch.',
    'Auch das kann Pocket nicht beantworten.',
    'Was ich kann:',
    [
      'kleine Rechnungen',
      'Hauptstädte',
      'Buchstabieren',
      'kurze Listen',
      'ganz kurze Geschichten',
      'Begriffe aus dem Web',
    ],
  ),
  fr: texts(
    'Je ne peux pas répondre à cela. Je suis Pocket, un minuscule modèle de démonstration dans cet onglet, et je ne comprends qu’un anglais simple.',
    'Pocket ne peut pas répondre à cela non plus.',
    'Ce que je sais faire :',
    [
      'de petits calculs',
      'les capitales',
      'épeler des mots',
      'de courtes listes',
      'de très courtes histoires',
      'les termes du web',
    ],
  ),
  es: texts(
    'No puedo responder a eso. Soy Pocket, un pequeñísimo modelo de demostración en esta pestaña, y solo entiendo inglés sencillo.',
    'Pocket tampoco puede responder a esto.',
    'Lo que sé hacer:',
    [
      'cuentas sencillas',
      'capitales',
      'deletrear palabras',
      'listas cortas',
      'cuentos muy cortos',
      'términos de la web',
    ],
  ),
  it: texts(
    'A questo non so rispondere. Sono Pocket, un minuscolo modello dimostrativo in questa scheda, e capisco solo un inglese semplice.',
    'Pocket non sa rispondere nemmeno a questo.',
    'Quello che so fare:',
    ['piccoli calcoli', 'capitali', 'sillabare parole', 'brevi elenchi', 'storie brevissime', 'termini del web'],
  ),
  pt: texts(
    'Não consigo responder a isso. Sou o Pocket, um pequeno modelo de demonstração neste separador, e só entendo inglês simples.',
    'O Pocket também não consegue responder a isto.',
    'O que sei fazer:',
    ['contas simples', 'capitais', 'soletrar palavras', 'listas curtas', 'histórias muito curtas', 'termos da web'],
  ),
  nl: texts(
    'Daar kan ik geen antwoord op geven. Ik ben Pocket, een piepklein demomodel in dit tabblad, en ik begrijp alleen eenvoudig Engels.',
    'Ook hierop heeft Pocket geen antwoord.',
    'Wat ik wel kan:',
    ['kleine sommen', 'hoofdsteden', 'woorden spellen', 'korte lijstjes', 'heel korte verhalen', 'webtermen'],
  ),
  sv: texts(
    'Det kan jag inte svara på. Jag är Pocket, en pytteliten demomodell i den här fliken, och jag förstår bara enkel engelska.',
    'Det kan Pocket inte heller svara på.',
    'Det här kan jag:',
    ['små räkneuppgifter', 'huvudstäder', 'stavning', 'korta listor', 'mycket korta berättelser', 'webbtermer'],
  ),
  da: texts(
    'Det kan jeg ikke svare på. Jeg er Pocket, en lillebitte demomodel i denne fane, og jeg forstår kun enkelt engelsk.',
    'Det kan Pocket heller ikke svare på.',
    'Det kan jeg:',
    ['små regnestykker', 'hovedstæder', 'stavning', 'korte lister', 'meget korte historier', 'webbegreber'],
  ),
  nb: texts(
    'Det kan jeg ikke svare på. Jeg er Pocket, en bitte liten demomodell i denne fanen, og jeg forstår bare enkel engelsk.',
    'Det kan Pocket heller ikke svare på.',
    'Dette kan jeg:',
    ['små regnestykker', 'hovedsteder', 'staving', 'korte lister', 'veldig korte historier', 'webbegreper'],
  ),
  fi: texts(
    'En osaa vastata tuohon. Olen Pocket, tässä välilehdessä toimiva pikkuruinen esittelymalli, ja ymmärrän vain yksinkertaista englantia.',
    'Pocket ei osaa vastata tähänkään.',
    'Tämän osaan:',
    ['pienet laskut', 'pääkaupungit', 'tavaaminen', 'lyhyet luettelot', 'hyvin lyhyet tarinat', 'verkkotermit'],
  ),
  pl: texts(
    'Nie umiem na to odpowiedzieć. Jestem Pocket, malutki model demonstracyjny w tej karcie, i rozumiem tylko prosty angielski.',
    'Na to Pocket też nie umie odpowiedzieć.',
    'Co umiem:',
    ['proste rachunki', 'stolice', 'literowanie', 'krótkie listy', 'bardzo krótkie opowiadania', 'pojęcia internetowe'],
  ),
  cs: texts(
    'Na to neumím odpovědět. Jsem Pocket, maličký ukázkový model na této kartě, a rozumím jen jednoduché angličtině.',
    'Ani na tohle Pocket neumí odpovědět.',
    'Co umím:',
    ['malé výpočty', 'hlavní města', 'hláskování', 'krátké seznamy', 'velmi krátké příběhy', 'webové pojmy'],
  ),
  hu: texts(
    'Erre nem tudok válaszolni. Pocket vagyok, egy apró bemutatómodell ezen a lapon, és csak egyszerű angolul értek.',
    'Pocket erre sem tud válaszolni.',
    'Amit tudok:',
    ['kis számolások', 'fővárosok', 'betűzés', 'rövid listák', 'nagyon rövid történetek', 'webes fogalmak'],
  ),
  ro: texts(
    'Nu pot răspunde la asta. Sunt Pocket, un model demonstrativ foarte mic din această filă, și înțeleg doar engleză simplă.',
    'Pocket nu poate răspunde nici la asta.',
    'Ce știu să fac:',
    ['calcule mici', 'capitale', 'ortografie', 'liste scurte', 'povești foarte scurte', 'termeni web'],
  ),
  tr: texts(
    'Buna cevap veremem. Ben Pocket, bu sekmede çalışan minicik bir tanıtım modeliyim ve yalnızca basit İngilizce anlarım.',
    'Pocket buna da cevap veremez.',
    'Yapabildiğim:',
    ['küçük hesaplar', 'başkentler', 'heceleme', 'kısa listeler', 'çok kısa öyküler', 'web terimleri'],
  ),
  vi: texts(
    'Tôi không trả lời được câu này. Tôi là Pocket, một mô hình trình diễn tí hon trong thẻ này, và tôi chỉ hiểu tiếng Anh đơn giản.',
    'Pocket cũng không trả lời được câu này.',
    'Điều tôi làm được:',
    ['phép tính nhỏ', 'thủ đô các nước', 'đánh vần', 'danh sách ngắn', 'truyện rất ngắn', 'thuật ngữ web'],
  ),
  id: texts(
    'Saya tidak bisa menjawab itu. Saya Pocket, model demo mungil di tab ini, dan saya hanya mengerti bahasa Inggris sederhana.',
    'Pocket juga tidak bisa menjawab ini.',
    'Yang bisa saya lakukan:',
    ['hitungan kecil', 'ibu kota negara', 'mengeja kata', 'daftar pendek', 'cerita sangat pendek', 'istilah web'],
  ),
  ru: texts(
    'На это я ответить не могу. Я Pocket, крошечная демонстрационная модель в этой вкладке, и понимаю только простой английский.',
    'На это Pocket тоже не может ответить.',
    'Что я умею:',
    ['небольшие вычисления', 'столицы', 'написание слов', 'короткие списки', 'очень короткие истории', 'веб-термины'],
  ),
  uk: texts(
    'На це я не можу відповісти. Я Pocket, крихітна демонстраційна модель у цій вкладці, і розумію лише просту англійську.',
    'На це Pocket теж не може відповісти.',
    'Що я вмію:',
    ['невеликі обчислення', 'столиці', 'написання слів', 'короткі списки', 'дуже короткі історії', 'вебтерміни'],
  ),
  bg: texts(
    'Не мога да отговоря на това. Аз съм Pocket, мъничък демонстрационен модел в този раздел, и разбирам само прост английски.',
    'Pocket не може да отговори и на това.',
    'Какво мога:',
    ['малки сметки', 'столици', 'правопис', 'кратки списъци', 'много кратки истории', 'уеб понятия'],
  ),
  el: texts(
    'Σε αυτό δεν μπορώ να απαντήσω. Είμαι το Pocket, ένα μικροσκοπικό μοντέλο επίδειξης σε αυτή την καρτέλα, και καταλαβαίνω μόνο απλά αγγλικά.',
    'Ούτε σε αυτό μπορεί να απαντήσει το Pocket.',
    'Τι μπορώ να κάνω:',
    [
      'μικρούς υπολογισμούς',
      'πρωτεύουσες',
      'ορθογραφία λέξεων',
      'σύντομες λίστες',
      'πολύ σύντομες ιστορίες',
      'όρους του ιστού',
    ],
  ),
  ar: texts(
    'لا أستطيع الإجابة عن هذا. أنا Pocket، نموذج تجريبي صغير جدًا في علامة التبويب هذه، ولا أفهم إلا الإنجليزية البسيطة.',
    'لا يستطيع Pocket الإجابة عن هذا أيضًا.',
    'ما أستطيع فعله:',
    ['عمليات حسابية بسيطة', 'العواصم', 'تهجئة الكلمات', 'قوائم قصيرة', 'قصص قصيرة جدًا', 'مصطلحات الويب'],
  ),
  fa: texts(
    'نمی‌توانم به این پاسخ بدهم. من Pocket هستم، یک مدل نمایشی بسیار کوچک در این زبانه، و فقط انگلیسی ساده می‌فهمم.',
    'Pocket به این هم نمی‌تواند پاسخ بدهد.',
    'کاری که می‌توانم بکنم:',
    ['حساب‌های ساده', 'پایتخت‌ها', 'هجی کردن واژه‌ها', 'فهرست‌های کوتاه', 'داستان‌های خیلی کوتاه', 'اصطلاحات وب'],
  ),
  he: texts(
    'על זה אני לא יכול לענות. אני Pocket, מודל הדגמה זעיר בכרטיסייה הזאת, ואני מבין רק אנגלית פשוטה.',
    'גם על זה Pocket לא יכול לענות.',
    'מה אני יודע לעשות:',
    ['חישובים קטנים', 'ערי בירה', 'איות מילים', 'רשימות קצרות', 'סיפורים קצרים מאוד', 'מונחי אינטרנט'],
  ),
  hi: texts(
    'मैं इसका उत्तर नहीं दे सकता। मैं Pocket हूँ, इस टैब में चलने वाला एक बहुत छोटा डेमो मॉडल, और केवल सरल अंग्रेज़ी समझता हूँ।',
    'Pocket इसका उत्तर भी नहीं दे सकता।',
    'मैं यह कर सकता हूँ:',
    ['छोटे हिसाब', 'राजधानियाँ', 'शब्दों की वर्तनी', 'छोटी सूचियाँ', 'बहुत छोटी कहानियाँ', 'वेब के शब्द'],
  ),
  th: texts(
    'ฉันตอบคำถามนี้ไม่ได้ ฉันคือ Pocket โมเดลสาธิตขนาดจิ๋วในแท็บนี้ และเข้าใจเพียงภาษาอังกฤษง่าย ๆ',
    'คำถามนี้ Pocket ก็ตอบไม่ได้เช่นกัน',
    'สิ่งที่ฉันทำได้:',
    ['เลขง่าย ๆ', 'เมืองหลวง', 'การสะกดคำ', 'รายการสั้น ๆ', 'เรื่องสั้นมาก ๆ', 'คำศัพท์เว็บ'],
  ),
  zh: texts(
    '这个我答不上来。我是 Pocket，运行在这个标签页里的微型演示模型，只懂简单的英语。',
    '这个 Pocket 也答不上来。',
    '我会的有：',
    ['简单的算术', '各国首都', '单词拼写', '简短的列表', '很短的故事', '网络术语'],
  ),
  ja: texts(
    'それには答えられません。私は Pocket、このタブで動くとても小さなデモ用モデルで、簡単な英語しか分かりません。',
    'これにも Pocket は答えられません。',
    'できること：',
    ['簡単な計算', '各国の首都', '単語のつづり', '短いリスト', 'とても短い物語', 'ウェブ用語'],
  ),
  ko: texts(
    '그 질문에는 답할 수 없습니다. 저는 이 탭에서 실행되는 아주 작은 데모 모델 Pocket이며, 간단한 영어만 이해합니다.',
    '이 질문에도 Pocket은 답할 수 없습니다.',
    '제가 할 수 있는 것:',
    ['간단한 계산', '각 나라의 수도', '단어 철자', '짧은 목록', '아주 짧은 이야기', '웹 용어'],
  ),
};
