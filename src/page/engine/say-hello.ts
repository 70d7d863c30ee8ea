import { PROTOCOL_VERSION } from '../../shared/messaging/messages.ts';
import { HUB_PROTOCOL, type HubHello, type HubReply } from '../hub-messages.ts';

/** A talk with the frame of a hub. */
export interface HubTalk {
  /** The end of the channel on which the frame replies. */
  readonly control: MessagePort;
  /** Resolves when the frame has got the hello. */
  readonly begun: Promise<true>;
  /** What the frame says of its engine; null if it is gone. A hostile one may say anything. */
  readonly replied: Promise<HubReply | null>;
}

/**
 * Says hello to the frame of a hub.
 * @param hub Address of the hub, with a trailing slash.
 * @param asks Whether the frame shall ask the person.
 * @param onEnd Called each time that the frame says that its engine has ended, and when the frame is gone.
 */
export function sayHello(frame: HTMLIFrameElement, hub: URL, asks: boolean, onEnd: () => void = () => {}): HubTalk {
  const { port1: control, port2 } = new MessageChannel();
  const begun = new Promise<true>((resolve) => {
    control.addEventListener('message', () => resolve(true), { once: true });
  });
  const replied = new Promise<HubReply | null>((resolve) => {
    control.addEventListener('message', ({ data }: MessageEvent<HubReply | null>) => {
      if (data?.type === 'ended') onEnd();
      else if (data?.type !== 'starting') resolve(data);
    });
    // The page has removed the frame. Not all browsers tell.
    control.addEventListener('close', () => {
      onEnd();
      resolve(null);
    });
  });
  control.start();
  const hello: HubHello = {
    type: 'tabserve/hub',
    protocol: HUB_PROTOCOL,
    version: PROTOCOL_VERSION,
    ...(asks && { asks }),
  };
  frame.contentWindow?.postMessage(hello, hub.origin, [port2]);
  return { control, begun, replied };
}
