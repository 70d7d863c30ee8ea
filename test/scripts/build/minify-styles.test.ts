import { expect, test } from 'vitest';
import { minifyStyleText } from '../../../scripts/build/minify-styles.ts';

test.each([
  ['a {\n  color: red;\n}\n', 'a{color:red}'],
  [
    '/* why;\n so */\n.a .b:hover,\n.c > :is(d, e) {\n  margin: 0 1px;\n  padding: 0;\n}',
    '.a .b:hover,.c > :is(d,e){margin:0 1px;padding:0}',
  ],
  [
    '@media (max-width: 40rem) {\n  .a :focus-visible {\n    top: calc(1px + 2px);\n  }\n}',
    '@media (max-width: 40rem){.a :focus-visible{top:calc(1px + 2px)}}',
  ],
  [
    ":host {\n  --target: 2rem;\n}\n.a::after {\n  content: '›';\n}\n${other}\n",
    ":host{--target:2rem}.a::after{content:'›'}${other}",
  ],
])('minifying keeps every rule: %j', (styles, expected) => {
  expect(minifyStyleText(styles)).toBe(expected);
});
