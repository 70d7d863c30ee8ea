/**
 * Waits for a response and its whole body, unless the page is frozen meanwhile: in Chromium a request that is pending then may
 * never settle, even after the page is resumed.
 * @param page The page's document.
 * @throws TypeError as for a broken connection, once the page is resumed.
 */
export function unlessFrozen(request: Promise<Response>, page: EventTarget): Promise<Response> {
  return new Promise((resolve, reject) => {
    const cutOff = () => reject(new TypeError('frozen'));
    page.addEventListener('resume', cutOff);
    const whole = request.then(async (response) => new Response(await response.blob(), response));
    whole.then(resolve, reject).finally(() => page.removeEventListener('resume', cutOff));
  });
}
