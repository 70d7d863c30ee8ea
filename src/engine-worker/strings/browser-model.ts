/** Sentences about the browser's own model. */
export const browserModelStrings = {
  noPage: "No page of this site is open that could use the browser's own model. Open one and try again.",
  silent: (seconds: number) =>
    `No page took the request for the browser's own model within ${seconds} seconds. Try again; if that does not help, reload the page.`,
  failed: (complaint: string) => `The browser's own model has failed (${complaint}). Try again, or use another model.`,
  lost: "The page that used the browser's own model was closed or frozen. Try again: another page takes over.",
  notLoaded: (complaint: string) =>
    `The browser did not open its own model (${complaint}). If it must download it first, it does so only after a click on a page that calls LanguageModel.create().`,
  unlikeSchema:
    "The answer of the browser's own model does not satisfy the schema of the request. Try again, or use another model.",
};
