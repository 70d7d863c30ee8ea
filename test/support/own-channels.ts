/**
 * Run before each test file: gives it broadcast channels of its own. Test files run beside each other in threads of one
 * process, whose channels of the same name are connected, so that one file would get the messages of another.
 */
const file = crypto.randomUUID();

globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name: string) {
    super(`${name} ${file}`);
  }
};
