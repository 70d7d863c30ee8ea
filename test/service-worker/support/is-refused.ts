/**
 * Reads the answer to a request that may be malformed. Returns whether it was refused.
 * @param formErrors Tells in which ways an error differs from its published form.
 * @throws Error with what is wrong about a refusal: its status is no 4xx, or it has another form.
 */
export async function isRefused(
  response: Response,
  formErrors: (error: unknown) => readonly string[],
): Promise<boolean> {
  if (response.status === 200) {
    await response.text();
    return false;
  }
  const error: unknown = await response.json();
  const isClientError = response.status >= 400 && response.status < 500;
  const wrong = [...(isClientError ? [] : [`status ${response.status}`]), ...formErrors(error)];
  if (wrong.length > 0) throw new Error(`${wrong.join('; ')}: ${JSON.stringify(error)}`);
  return true;
}
