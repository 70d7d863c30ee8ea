let isOpen = false;

/** Whether a temporary chat is open in this tab. What it asks of an upstream must not be stored. */
export function hasTemporaryChat(): boolean {
  return isOpen;
}

export function setTemporaryChat(open: boolean): void {
  isOpen = open;
}
