import { expect, test } from 'vitest';
import { BlockSplitter } from '../../../src/chat/markdown/block-splitter.ts';
import { markdownToHtml } from '../../../src/chat/markdown/markdown-parser.ts';
import { plainText } from '../../../src/chat/markdown/plain-text.ts';

/** The texts of the elements with this name, without the tags inside them. */
function textsOf(element: string, markdown: string): string[] {
  const found = markdownToHtml(markdown).matchAll(new RegExp(`<${element}(?: [^>]*)?>([^]*?)</${element}>`, 'g'));
  return [...found].map(([, content]) => content!.replace(/<[^>]*>/g, '').replaceAll('&quot;', '"'));
}

test.each([
  ['これは**「重要」**です。', ['「重要」']],
  ['**注意：**这是一个测试。', ['注意：']],
  ['한국어에서 **"중요"**는 이렇게.', ['"중요"']],
  ['他说**“重要”**的事', ['“重要”']],
  ['请看**《红楼梦》**一书', ['《红楼梦》']],
  ['価格は**1,000円（税込）**です', ['1,000円（税込）']],
  ['**步骤1:**打开文件', ['步骤1:']],
  ['使用**`npm i`**命令', ['npm i']],
  ['**参考：[链接](https://example.org/)**请看', ['参考：链接']],
  ['**ガ。**です', ['ガ。']],
  ['**注音「ㄅ」**是', ['注音「ㄅ」']],
  ['**ﾊﾝｶｸ｡**です', ['ﾊﾝｶｸ｡']],
  ['**หมายเหตุ:**ข้อความ', ['หมายเหตุ:']],
  ['قال **«مهم»**وذهب', ['«مهم»']],
  ['**ध्यान:**यह', ['ध्यान:']],
  ['**甲：**乙，**丙：**丁', ['甲：', '丙：']],
  ['**「甲」「乙」**と言う', ['「甲」「乙」']],
  ['「**引用**」です', ['引用']],
  ['結果は**90%**です', ['90%']],
  ['答えは**「はい」**、または**「いいえ」**。', ['「はい」', '「いいえ」']],
  ['**《论语》：**子曰', ['《论语》：']],
  ['**(1)**第一步', ['(1)']],
  ['이것은**(중요)**합니다', ['(중요)']],
  ['**“重点”、“次点”**都是', ['“重点”、“次点”']],
  ['**Важно:** это', ['Важно:']],
  ['**Σημείωση:** αυτό', ['Σημείωση:']],
  ['**សំគាល់៖**នេះ', ['សំគាល់៖']],
  ['**注**：**「甲」**', ['注', '「甲」']],
  ['**bold** and **「x」**.', ['bold', '「x」']],
])('finds the strong text in %j', (markdown, strong) => expect(textsOf('strong', markdown)).toEqual(strong));

test.each([
  ['這是*「重點」*吧', ['「重點」']],
  ['*注：*这', ['注：']],
  ['a * b * c', []],
  ['2*3*4 = 24', ['3']],
  ['snake_case_name and 変数_名_です', []],
])('finds the emphasis in %j', (markdown, emphasis) => expect(textsOf('em', markdown)).toEqual(emphasis));

test.each(['foo**"bar"**baz', '** 重要 **です', 'これは**。', '**a:**b', '**Важно:**это'])(
  'finds no strong text in %j',
  (markdown) => expect(textsOf('strong', markdown)).toEqual([]),
);

test.each([
  ['需要3~5天，费用10~20元。', []],
  ['보통 1~2시간, 길면 3~4시간 걸립니다.', []],
  ['5~10 minutes and costs $3~$5', []],
  ['約3~4人、5~6時間', []],
  ['~a~ and ~ b ~', []],
  ['~/bin and ~/lib', []],
  ['H~2~O', []],
  ['好~ 谢谢~', []],
  ['~5%~10%', []],
  ['about ~5 or ~10 items', []],
  ['9:00~17:00、10:00~18:00', []],
  ['x ~ N(0,1) and y ~ N(1,1)', []],
  ['3~4개월, 5~6개월', []],
  ['お願いします~ はい~', []],
  ['第1章~第3章，第5章~第7章', []],
  ['価格は~~1000円~~800円', ['1000円']],
  ['~~**旧**~~→新', ['旧']],
  ['~~a~b~~', ['a~b']],
  ['~~gone~~ and 1~2', ['gone']],
  ['~~3~5~~', ['3~5']],
  ['这是~~“旧”~~新的', ['“旧”']],
])('finds the struck-out text in %j', (markdown, struck) => expect(textsOf('del', markdown)).toEqual(struck));

const FENCED = '# Title\n\n```bash\nnpm i\n```\n\nThen:\n\n```js\nrun()\n```\n\nThe end.';

test.each([
  ['a file that contains fences', `\`\`\`markdown\n${FENCED}\n\`\`\``, [FENCED]],
  ['a block of the language md', `\`\`\`md\n${FENCED}\n\`\`\``, [FENCED]],
  ['a block with a title after its language', `\`\`\`markdown title="README.md"\n${FENCED}\n\`\`\``, [FENCED]],
  ['a block with tildes', `~~~markdown\n~~~sh\nls\n~~~\n~~~`, ['~~~sh\nls\n~~~']],
  ['a block within a block', '```md\n```md\n```js\na\n```\n```\n```', ['```md\n```js\na\n```\n```']],
  ['an indented block', '  ```markdown\n  ```js\n  a\n  ```\n  ```', ['```js\na\n```']],
  [
    'a block with fences in a list',
    '```markdown\n1. Do:\n\n    ```js\n    a\n    ```\n2. b\n```',
    ['1. Do:\n\n    ```js\n    a\n    ```\n2. b'],
  ],
  ['a block in a list', '- x\n\n  ```markdown\n  ```js\n  a\n  ```\n  ```', ['```js\na\n```']],
  ['a block in a quotation', '> ```markdown\n> ```js\n> a\n> ```\n> ```', ['```js\na\n```']],
  ['a block whose own fence is longer', '````markdown\n```\na\n```\n````', ['```\na\n```']],
  ['a block whose language has a capital', '```Markdown\n```js\na\n```\n```', ['```js\na\n```']],
  ['two blocks', '```md\n```js\na\n```\n```\n\n```md\n```js\nb\n```\n```', ['```js\na\n```', '```js\nb\n```']],
  ['a block with a fence of tildes in it', '```markdown\n~~~\na\n~~~\n```', ['~~~\na\n~~~']],
  ['a block with a longer fence in it', '```markdown\n````js\na\n````\n```', ['````js\na\n````']],
  ['a block in a numbered list', '1. x\n\n   ```markdown\n   ```js\n   a\n   ```\n   ```', ['```js\na\n```']],
  ['a block in a quoted list', '> - ```markdown\n>   ```js\n>   a\n>   ```\n>   ```', ['```js\na\n```']],
  [
    'a block in Chinese',
    '```markdown\n# 标题\n```python\nprint("你好")\n```\n完。\n```',
    ['# 标题\n```python\nprint("你好")\n```\n完。'],
  ],
  ['a block that ends with a fence', '```md\n```mermaid\ngraph\n```\n```\nafter', ['```mermaid\ngraph\n```']],
  [
    'a block with three fences',
    '```md\n```a\n1\n```\n```b\n2\n```\n```c\n3\n```\n```',
    ['```a\n1\n```\n```b\n2\n```\n```c\n3\n```'],
  ],
  ['a block in capitals with an attribute', '```MD {.line}\n```js\na\n```\n```', ['```js\na\n```']],
  ['an unfinished block', '```markdown\n```js\na\n```\nb', ['```js\na\n```\nb']],
  ['an empty block', '```markdown\n```', ['']],
  ['a block followed by another', '```markdown\na\n```\n\n```js\nb\n```', ['a', 'b']],
  ['a block of another language, which contains no fences', '```js\na\n```\n\n```js\nb\n```', ['a', 'b']],
])('finds the code blocks of %s', (_name, markdown, blocks) =>
  expect(textsOf('code', markdown).map((text) => text.replace(/\n$/, ''))).toEqual(blocks),
);

/** Texts that nest deeper than a person writes, as a model in a loop does. */
const DEEP: readonly (readonly [string, string])[] = [
  ['quotations', `${'>'.repeat(4000)} x`],
  ['quotations with spaces', `${'> '.repeat(4000)}x`],
  ['quotations with a lazy continuation line', `${'>'.repeat(400)} x\ny`],
  ['a list on one line', `${'- '.repeat(4000)}x`],
  ['nested lists', Array.from({ length: 300 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
  ['numbered lists', `${'1. '.repeat(3000)}x`],
  ['quotations in lists', `${'- > '.repeat(2000)}x`],
  ['links', `${'['.repeat(3000)}x${'](y)'.repeat(3000)}`],
  ['emphasis', `${'*a **b '.repeat(900)}x${' b** a*'.repeat(900)}`],
  ['struck words', `${'~~a *b '.repeat(900)}x${' b* a~~'.repeat(900)}`],
  ['images', `${'!['.repeat(1500)}x${'](y)'.repeat(1500)}`],
  ['quotations that alternate with lists', `${'> 1. '.repeat(1500)}x`],
  ['lists with plus signs', `${'+ '.repeat(4000)}x`],
  ['quotations of several lines', Array.from({ length: 300 }, (_, depth) => `${'>'.repeat(depth + 1)} x`).join('\n')],
  ['tasks', `${'- [ ] '.repeat(2000)}x`],
  ['underscores', `${'_a __b '.repeat(900)}x${' b__ a_'.repeat(900)}`],
  ['bold Chinese', `${'**「'.repeat(900)}x${'」**'.repeat(900)}`],
  ['links in images', `${'[!['.repeat(900)}x${'](y)](z)'.repeat(900)}`],
  ['code marks', `${'`a` '.repeat(3000)}x`],
  ['tags', `${'<b>'.repeat(3000)}x`],
  ['backslashes', `${'\\'.repeat(3001)}x`],
  ['footnotes', `${'[^1]: '.repeat(3000)}x`],
  ['details', `${'<details>\n'.repeat(600)}x${'\n</details>'.repeat(600)}`],
  ['details that are not closed', `${'<details>\n'.repeat(2000)}x`],
  ['definitions', `x\n${': '.repeat(3000)}x`],
  ['alerts', `${'> [!NOTE]\n'.repeat(300)}${'> '.repeat(300)}x`],
  ['brackets alone', '['.repeat(3000)],
  ['stars', `${'*'.repeat(7000)}x`],
];

test.each(DEEP)('deeply nested %s are shown, with a bounded depth', (_name, markdown) => {
  const splitter = new BlockSplitter();
  splitter.update(markdown);
  splitter.finish();
  const html = splitter.settled.map((block) => markdownToHtml(block, splitter.definitions)).join('');
  let depth = 0;
  let deepest = 0;
  for (const [, closing] of html.matchAll(/<(\/?)(?:blockquote|details|ul|ol|em|strong|del|a)\b[^>]*>/g)) {
    depth += closing === '' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  expect(deepest).toBeLessThan(50);
  expect(html).toContain(/^\[+$/.test(markdown) ? markdown[0] : 'x');
  expect(plainText(markdown)).toContain(/^\[+$/.test(markdown) ? markdown[0] : 'x');
});

test('the nesting depth that people write is rendered', () => {
  const list = Array.from({ length: 10 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n');
  expect(markdownToHtml(list).match(/<ul>/g)).toHaveLength(10);
  expect(markdownToHtml('>>>>> x').match(/<blockquote>/g)).toHaveLength(5);
});
