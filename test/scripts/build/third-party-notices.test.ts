import { expect, test } from 'vitest';
import { noticesText } from '../../../scripts/build/third-party-notices.ts';

test('the notices contain the licences of packages that no bundler sees', () => {
  const text = noticesText('package', []);
  expect(text).toMatch(/^## loglevel \d/m);
  expect(text).toContain('Copyright (c) 2013 Tim Perry');
  expect(text).toMatch(/^## assemblyscript \d/m);
});

test('the notices of a site begin with its own licence', () => {
  expect(noticesText('site', [])).toMatch(/^# Licence of this site\n\n```\n\s*Apache License/);
});
