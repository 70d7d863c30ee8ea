import { expect, test } from 'vitest';
import { BlockSplitter } from '../../../src/chat/markdown/block-splitter.ts';
import { HeadingLevels } from '../../../src/chat/markdown/heading-levels.ts';
import { markdownToHtml } from '../../../src/chat/markdown/markdown-parser.ts';

const F = '```';

/** Answers as language models write them, by what is unusual in them. */
const ANSWERS: Readonly<Record<string, string>> = {
  nestedListCode: `1. Install:\n   ${F}bash\n   npm i foo\n   ${F}\n2. Configure:\n   - Open \`config.json\`\n     ${F}json\n     {"a": 1}\n     ${F}\n   - Save\n3. Run`,
  listCodeNotIndented: `1. Install:\n${F}bash\nnpm i foo\n${F}\n2. Configure:\n${F}json\n{"a": 1}\n${F}\n3. Run`,
  tableInList: `- Options:\n\n  | Flag | Meaning |\n  |---|---|\n  | -a | all |\n  | -b | brief |\n\n- Done`,
  tableInListTight: `- Options:\n  | Flag | Meaning |\n  |---|---|\n  | -a | all |\n- Done`,
  unclosedFence: `Here is code:\n\n${F}python\nprint("hi")\nfor x in y:\n    pass`,
  unclosedFenceThenProse: `Code:\n${F}\nfoo\n\nAnd that is it.`,
  details: `<details>\n<summary>Click me</summary>\n\nHidden **words** here.\n\n</details>\n\nAfter.`,
  detailsInline: `<details><summary>Sum</summary>Body text</details> tail words`,
  detailsOpen: `Before\n<details>\n<summary>Unclosed summary\n\nBody stays.`,
  detailsTwo: `<details><summary>A</summary>\n\none\n\n</details>\n<details><summary>B</summary>\n\ntwo\n\n</details>`,
  detailsBetween: `<details>words before <summary>S</summary> after</details>`,
  strayDetails: `text\n</details>\nmore text`,
  br: `Line one<br>Line two<br/>Line three<BR />four`,
  sub: `H<sub>2</sub>O and x<sup>2</sup> and <mark>marked</mark> <kbd>Ctrl</kbd>+<kbd>C</kbd>`,
  think: `<think>\nLet me reason about it.\n\nSecond thought.\n</think>\n\nThe answer is 4.`,
  thinkInline: `Use <think>inner</think> tags`,
  thinkOpen: `<think>\nnever closed`,
  comment: `Visible <!-- hidden remark --> text\n\n<!-- block comment words -->\n\nEnd`,
  commentUnclosed: `Start <!-- unclosed remark\n\nmore words\n\nend`,
  dollars: `It costs $5 and $6, or $7.50 each; US$20 vs $30–$40.`,
  dollars2: `You pay $100*2 and get $50_back_ or $x and $y`,
  dollars3: `**$5** off, then *$10* more: $5-$10 and $15-$20 total`,
  mathEmpty: `Empty $$ $$ and $ $ and \\( \\) and \\[ \\]`,
  mathUnclosed: `The formula $$x = y is open\n\nand more`,
  bracketEscape: `Use \\[optional\\] args and \\(group\\) regex`,
  emoji: `🎉 **Great!** 👍🏽 family 👨‍👩‍👧‍👦 flag 🇩🇪 :smile:`,
  rtl: `مرحبا **بالعالم** \`code\` ثم نص عربي\n\n- شلום\n- עברית`,
  headingsNoBlank: `Intro text\n# Heading one\ntext\n## Heading two\n- item\n### Three\nend`,
  headingNoSpace: `#Heading without space\n##Another\ntext`,
  setext: `Title\n=====\ntext\nSub\n---\nmore`,
  fourBackticks: `${F}\`markdown\n${F}js\nlet a;\n${F}\n${F}\`\nAfter words`,
  generics: `Use Map<String, int> and List<T> or vector<vector<int>> and std::cout << x >> y; a<b && c>d`,
  genericsType: `Type Promise<string> or Array<number> or Foo<br> and T<B> and Option<i> and Vec<u> and <s>`,
  identifiers: `Set my_var_name and __init__ and *args, **kwargs and a*b*c and 2 * 3 * 4 and snake_case_`,
  globs: `Match *.ts and **/*.js and src/**/test_*.py`,
  longLine: 'word '.repeat(4000) + 'end_of_line',
  longBold: '**bold** '.repeat(1500) + 'LAST',
  link: `See [docs](https://a.org "The title") and <https://b.org> and https://c.org/x_(y).`,
  linkSpaces: `See [docs](my file.md) and [x](<a b>) and [empty]()`,
  badScheme: `[click](javascript:alert(1)) and [f](file:///etc/passwd) and [tel](tel:+123)`,
  image: `![Alt text](https://x.org/a.png "T") ![](b.png)`,
  html: `<div class="box">Boxed words</div>\n<p>Para</p>\n<span style="color:red">red</span>`,
  htmlBlockMd: `<div>\n\n**bold** inside\n\n</div>`,
  script: `<script>alert("words")</script> then text`,
  style: `<style>\n.a { color: red }\n</style>\n\ntext`,
  cdata: `<![CDATA[ some data ]]> <?php echo "x"; ?> <!DOCTYPE html>`,
  custom: `<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>`,
  placeholder: `Replace <your-name> with <YOUR_KEY> and <email@example.org> in <b>bold</b>`,
  tasks: `- [x] done\n- [ ] todo\n- [X] also\n* [x]no space\n- [] empty`,
  footnote: `Claim[^1] and[^note].\n\n[^1]: The source words.\n[^note]: More\n    continued here.`,
  footnoteDup: `A[^1].\n\n[^1]: First.\n\n[^1]: Second.`,
  strike: `~~gone~~ and ~one~ and ~~~not fence`,
  numbers: `2024. Was a year\n\n1986\\. too\n\n42.`,
  numbersList: `3. three\n4. four\n10. ten`,
  numberParen: `1) one\n2) two\na) alpha\nb) beta`,
  numberZero: `0. zero\n1. one`,
  hr: `a\n\n---\n\nb\n\n***\n\nc\n___\nd`,
  backslashes: `C:\\Users\\name\\*new* and \\\\server\\share and \\n newline \\_x\\_`,
  hardBreak: `line one  \nline two\\\nline three`,
  quoteNest: `> a\n>> b\n>>> c\n\nd`,
  quoteAlert: `> [!NOTE] inline title\n> Body\n\n> [!WARNING]\n> W\n\n> [!custom] x`,
  deflist: `Term\n: Definition one\n: Definition two`,
  colonFence: `:::note\nInside\n:::`,
  frontmatter: `---\ntitle: Foo\ndate: 2024\n---\n\nBody`,
  yamlish: `key: value\n- a: b\n  c: d`,
  latexEnv: `\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}\ntext \\begin{itemize}\\item x\\end{itemize}`,
  infoString: `${F}python title="app.py" {1,3}\nx = 1\n${F}\n\n${F}js:src/a.js\nlet a\n${F}`,
  fenceWithText: `${F}This is text on the fence line\nbody\n${F}`,
  fenceInline: `${F}inline triple${F} then text`,
  fenceInlineLang: `${F}js console.log(1) ${F}`,
  tilde: `~~~ruby startline=3\nputs 1\n~~~`,
  indented: `Text:\n\n    indented code\n    more\n\nback`,
  tabs: `-\ttab item\n\t- nested tab\n\t\tcode?\n`,
  emptyItems: `- \n- a\n-\n- b\n1.\n2. x`,
  deepList: `- a\n  - b\n    - c\n      - d\n        - e\n          - f\n            - g\n              - h\n                - i\n                  - j\n                    - k\n                      - l\n                        - m\n                          - n`,
  tableNoPipe: `a | b\n--|--\n1 | 2`,
  tableBroken: `| a | b |\n| 1 | 2 |\n| 3 | 4 |`,
  tableAfterText: `Here:\n| a | b |\n|---|---|\n| 1 | 2 |\nafter text`,
  tableCaption: `| a | b |\n|:-:|--:|\n| x<br>y | \`z\` |\n*Caption words*`,
  tableEmptyHead: `| | |\n|---|---|\n| k | v |`,
  tableExtraDelim: `| a | b |\n|---|---|---|\n| 1 | 2 | 3 |`,
  mermaid: `${F}mermaid\ngraph TD; A-->B\n${F}`,
  citations: `Fact [1], [2, 3] and [4-6]. 【12†source】`,
  chatMarkers: `<|im_start|>user\nHi<|im_end|>\n[INST] x [/INST] <s> </s> <<SYS>>`,
  emphasisOdd: `**bold*not** and ***x** and __a_b__ and *a**b*`,
  boldColon: `**Note:**text and**also**this and **"quoted"**next`,
  rtlMix: `(שלום) - **שלום**, 123`,
  arrow: `a -> b => c <- d <= e <-> f <!doctype>`,
  lt: `if x < 5 and y > 3 then <5 or <-1 and <3 hearts <3`,
  email: `Contact <foo@bar.com> or foo@bar.com; @mention #tag`,
  autolinks: `<http://a.b/c d> <ftp://x.y> <made:up> <a:b>`,
  headingTrail: `# Title #\n## C# ##\n### F#`,
  headingOnly: `#\n##\n\ntext`,
  plus: `+ a\n+ b\n\n+1 for that`,
  dash: `– en dash item\n— em\n• bullet\n· dot`,
  listThenPara: `- a\nlazy continuation\n- b\n\npara`,
  mathInline2: `If $a<b$ and $b>c$ then $\\text{for all } x$ and \\(x<y\\)`,
  mathBlockList: `- item\n  $$\n  x = 1\n  $$\n- next`,
  mathText: `$$\n\\text{Total} = 5\n$$ trailing words`,
  codeBackticks: '`` `x` `` and ` ` and `` and `unclosed',
  codeHtml: '`<div>` and `&lt;`',
  summaryAlone: `<summary>Alone</summary> words`,
  ruby: `<ruby>漢<rt>kan</rt></ruby>`,
  table1: `<table><tr><td>cell</td></tr></table>`,
  attrs: `<b class="x">bold words</b> <sub id=1>s</sub> <a href="https://x.y">link words</a> <img src="x.png" alt="alt words">`,
  unclosedB: `<b>never closed\n\nnext para <i>x`,
  closeOnly: `words</b> more</sub>`,
  select: `<select><option>opt words</option></select> <textarea>area words</textarea> <title>title words</title>`,
  svg: `<svg><text>svg words</text></svg> <math><mi>x</mi></math>`,
};

/** Returns the HTML of an answer after it has grown by pieces. */
function grown(markdown: string, piece: number): string {
  const splitter = new BlockSplitter();
  const levels = new HeadingLevels();
  for (let end = piece; end < markdown.length; end += piece) splitter.update(markdown.slice(0, end));
  splitter.update(markdown);
  splitter.finish();
  return splitter.settled.map((block) => markdownToHtml(block, splitter.definitions, levels)).join('');
}

const TAG =
  /<\/?(?:p|br|hr|blockquote|[uo]l|li|h[1-6]|pre|code|a|table|thead|tbody|t[rhd]|strong|em|del|b|i|u|s|su[bp]|kbd|mark|d[ldt]|details|summary)(?=[\s>/])[^>]*>/gi;
const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** Returns what a person sees of HTML, with what the page shows above a block of code, and addresses of links. */
function visible(html: string): string {
  return html
    .replace(
      /<code class="language-([^"]*)"(?: title="([^"]*)")?>/g,
      (_tag, language: string, title?: string) => ` ${title ?? language} `,
    )
    .replace(
      /<a href="([^"]*)"(?: title="([^"]*)")?>/g,
      (_tag, address: string, title = '') => ` ${decodeURI(address)} ${title} `,
    )
    .replace(/<li(?: value="\d+")? class="task">/g, ' x ')
    .replace(TAG, ' ')
    .replace(/&([\w#]+);/g, (entity, name: string) => CHARACTERS[name] ?? entity);
}

/** Returns the words of an answer that are neither tags nor numbers of a list. */
function wordsOf(markdown: string): readonly string[] {
  const text = markdown
    .replace(/^[ \t]*\d+[.)]\s/gm, '')
    .replace(/<\/?(?:br|b|su[bp]|mark|kbd|details|summary) ?\/?>/gi, ' ');
  return text.match(/[\p{L}\p{N}\p{Extended_Pictographic}]+/gu) ?? [];
}

test.each(Object.entries(ANSWERS))('each word of an answer is seen: %s', (_name, markdown) => {
  const piece = Math.max(1, Math.floor(markdown.length / 200));
  for (const html of [grown(markdown, markdown.length), grown(markdown, piece)]) {
    const seen = visible(html).toLowerCase();
    const lost = wordsOf(markdown.toLowerCase()).filter((word, _index, all) => {
      const count = all.filter((other) => other === word).length;
      return seen.split(word).length - 1 < count;
    });
    expect([...new Set(lost)]).toEqual([]);
  }
});

test.each([
  ['Use Option<i> and T<B> here', '<p>Use Option&lt;i&gt; and T&lt;B&gt; here</p>'],
  ['a <b>b <i>c</b> d', '<p>a <b>b &lt;i&gt;c</b> d</p>'],
  ['a</b> <sub>b</SUB> <s/>', '<p>a&lt;/b&gt; <sub>b</SUB> &lt;s/&gt;</p>'],
  ['<b>*a*</b> and <u>*b</u>*', '<p><b><em>a</em></b> and &lt;u&gt;<em>b&lt;/u&gt;</em></p>'],
  ['*<b>a* b</b>', '<p><em>&lt;b&gt;a</em> b&lt;/b&gt;</p>'],
  ['<kbd>a & b</kbd>, <kbd>c < d', '<p><kbd>a &amp; b</kbd>, &lt;kbd&gt;c &lt; d</p>'],
])('a tag without its other half is text: %j', (markdown, html) => {
  expect(grown(markdown, markdown.length).trim()).toBe(html);
});

test('while an answer grows, an opening tag waits for its other half', () => {
  const { definitions, open } = Object.assign(new BlockSplitter(), { open: 'H<sub>2' });
  expect(markdownToHtml(open, definitions, new HeadingLevels(), false)).toBe('<p>H<sub>2</p>\n');
  expect(markdownToHtml(open, definitions)).toBe('<p>H&lt;sub&gt;2</p>\n');
});

test.each([
  ['3. a\n7. b\n8. c\n12. d', [undefined, '7', undefined, '12']],
  ['3. a\n2. b\n1. c', [undefined, '2', '1']],
  ['1. a\n1. b\n1. c', [undefined, undefined, undefined]],
  ['1. a\n2. b\n2. c\n4. d', [undefined, undefined, undefined, undefined]],
  ['1) a\n\n4) b', [undefined, '4']],
  ['- 3\n- 7', [undefined, undefined]],
])('the numbers of the list %j are those that are written', (markdown, values) => {
  const items = [...grown(markdown, 1).matchAll(/<li(?: value="(\d+)")?>/g)];
  expect(items.map(([, value]) => value)).toEqual(values);
});
