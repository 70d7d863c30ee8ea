/**
 * A workflow that publishes a site on GitHub Pages. That host sends no headers of its own, so the built page has its
 * policy as a `<meta>`, and the service worker of the chat page adds the headers for threads.
 */
export const PAGES_WORKFLOW = `# Copy this file to .github/workflows/pages.yml, and choose "GitHub Actions" as the source in the settings of Pages.
name: Pages

on:
  push:
    branches: [main]
  workflow_dispatch:

permissions:
  contents: read
  pages: write
  id-token: write

concurrency:
  group: pages
  cancel-in-progress: true

jobs:
  deploy:
    runs-on: ubuntu-latest
    environment:
      name: github-pages
      url: \${{ steps.deployment.outputs.page_url }}
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: npm run build
      # The folder that the build writes.
      - uses: actions/upload-pages-artifact@v4
        with:
          path: dist
      - id: deployment
        uses: actions/deploy-pages@v4
`;
