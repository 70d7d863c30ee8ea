import { sleep } from '../../../shared/timeout.ts';
import { absent, ENDED, make, type Attempts, type AttemptPlace } from './attempt.ts';
import { LEAK_PEER } from './leak-host.ts';
import type { AttemptOutcome } from './leak-verdict.ts';

/** The window whose classes are used: the page's, or that of a frame. */
type Realm = Pick<typeof globalThis, 'RTCPeerConnection'>;

/** The ICE error of a STUN server whose name cannot be resolved or that does not respond. */
const STUN_FAILED = 701;

/** Milliseconds between two looks at whether packets were sent. */
const INTERVAL = 200;

/** Ways by WebRTC, which no Content-Security-Policy governs. */
export const webrtcAttempts: Attempts<'stun' | 'peer' | 'frame-webrtc'> = {
  stun: (place) => askStunServer(globalThis, place),
  peer: (place) => callPeer(globalThis, place),
  'frame-webrtc': (place) => {
    const realm = newFrame(place.stage);
    // Chromium ends the process of a page that opens a connection in a frame under a Connection-Allowlist.
    if (realm.RTCPeerConnection !== undefined && place.allowlist !== null) return { kind: 'untried' };
    return askStunServer(realm, place);
  },
};

/** Returns the window of a new frame as a script gets it that looks for a gap: by its number, before it has loaded. */
function newFrame(stage: HTMLElement): Realm {
  stage.append(make('iframe', { srcdoc: '<title>frame</title>' }));
  return window[window.length - 1] as unknown as Realm;
}

/** Names a STUN server that does not exist, and watches whether the browser looks it up. */
function askStunServer(realm: Realm, { host, signal }: AttemptPlace): AttemptOutcome | Promise<AttemptOutcome> {
  if (realm.RTCPeerConnection === undefined) return absent('RTCPeerConnection');
  const connection = open(realm, { iceServers: [{ urls: `stun:${host}:3478` }] }, signal);
  const outcome = new Promise<AttemptOutcome>((resolve) => {
    connection.addEventListener('icecandidateerror', ({ errorCode }) => {
      if (errorCode === STUN_FAILED) resolve({ kind: 'sent', detail: `ICE ${errorCode}` });
    });
    connection.addEventListener('icegatheringstatechange', () => {
      if (connection.iceGatheringState === 'complete') resolve(ENDED);
    });
    signal.addEventListener('abort', () => resolve(ENDED), { once: true });
  });
  void connection.setLocalDescription().catch(() => undefined);
  return outcome;
}

/** Connects to a peer by its address alone, without any server, and counts the packets to it. */
function callPeer(realm: Realm, { signal }: AttemptPlace): AttemptOutcome | Promise<AttemptOutcome> {
  if (realm.RTCPeerConnection === undefined) return absent('RTCPeerConnection');
  const caller = open(realm, {}, signal);
  const callee = open(realm, {}, signal);
  return connect(caller, callee, signal).catch(() => ENDED);
}

async function connect(
  caller: RTCPeerConnection,
  callee: RTCPeerConnection,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  await caller.setLocalDescription();
  await callee.setRemoteDescription(caller.localDescription!);
  await callee.setLocalDescription();
  // The answer is this page's own, but the address in it is that of another device.
  const sdp = callee.localDescription!.sdp.replaceAll(/^a=candidate:.*\r\n/gm, '');
  await caller.setRemoteDescription({ type: 'answer', sdp });
  const candidate = `candidate:1 1 udp 2113937151 ${LEAK_PEER} 3478 typ host`;
  await caller.addIceCandidate({ candidate, sdpMLineIndex: 0 });
  while (!signal.aborted) {
    const detail = await checksOf(caller);
    if (detail !== null) return { kind: 'sent', detail };
    await sleep(INTERVAL);
  }
  return ENDED;
}

/** Describes the packets that a connection has sent to its peer; null if there are none. */
async function checksOf(connection: RTCPeerConnection): Promise<string | null> {
  const stats: (RTCIceCandidatePairStats & { readonly type: string })[] = [];
  (await connection.getStats()).forEach((entry) => stats.push(entry));
  for (const { type, state, requestsSent } of stats) {
    if (type !== 'candidate-pair') continue;
    if (requestsSent !== undefined && requestsSent > 0) return `${requestsSent} × UDP → ${LEAK_PEER}`;
    // Firefox does not count them.
    if (requestsSent === undefined && state === 'in-progress') return `ICE ${state} → ${LEAK_PEER}`;
  }
  return null;
}

function open(realm: Realm, configuration: RTCConfiguration, signal: AbortSignal): RTCPeerConnection {
  const connection = new realm.RTCPeerConnection(configuration);
  signal.addEventListener('abort', () => connection.close());
  connection.createDataChannel('text');
  return connection;
}
