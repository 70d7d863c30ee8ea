/** What the page says where the endpoint itself could not. */
export const endpointStrings = {
  noAnswer: 'The endpoint in this browser did not answer.',
  notRunning: (status: number) => `The endpoint is not running in this page yet (status ${status}).`,
  brokeOff: 'The answer broke off before its end.',
  connectionLost: 'The connection to the model in this browser was lost.',
} as const;
