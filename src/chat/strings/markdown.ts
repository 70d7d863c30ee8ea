/** Words inside rendered answers. */
export const markdownStrings = {
  code: 'code',
  codeIn: (language: string) => (language === 'code' ? 'Code' : `Code in ${language}`),
  copy: 'Copy',
  copyCode: 'Copy this code',
  table: 'Table',
  image: (description: string) => `Image: ${description}`,
} as const;
