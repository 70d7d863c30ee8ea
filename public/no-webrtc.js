// Takes WebRTC from the page, before any other script runs. No Content-Security-Policy limits WebRTC: a script could send text
// to any address in the packets with which it looks for its peer. Frames get the same treatment when they are made or
// reached; where the browser enforces a Connection-Allowlist, it refuses WebRTC in frames and new windows itself.
{
  // Kept, because a later script may replace the originals.
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;

  /** Removes WebRTC from a window of this origin. Does nothing if that has been done, or without a window. */
  const guard = (realm) => {
    try {
      if (!realm?.RTCPeerConnection && !realm?.webkitRTCPeerConnection) return;
    } catch {
      return; // A window of another origin.
    }
    delete realm.RTCPeerConnection;
    delete realm.webkitRTCPeerConnection;
    guardAccessors(realm.HTMLIFrameElement.prototype);
    guardAccessors(realm.HTMLFrameElement.prototype);
    guardAccessors(realm.HTMLObjectElement.prototype);
    // An empty frame is loaded while it is put into the document, before the script that does so goes on.
    realm.document.addEventListener('load', ({ target }) => guard(target.contentWindow), true);
  };

  const guardAccessors = (prototype) => {
    const { get: contentWindow, ...ofWindow } = getOwnPropertyDescriptor(prototype, 'contentWindow');
    const { get: contentDocument, ...ofDocument } = getOwnPropertyDescriptor(prototype, 'contentDocument');
    const reach = (element) => {
      const realm = apply(contentWindow, element, []);
      guard(realm);
      return realm;
    };
    defineProperty(prototype, 'contentWindow', {
      ...ofWindow,
      get() {
        return reach(this);
      },
    });
    defineProperty(prototype, 'contentDocument', {
      ...ofDocument,
      get() {
        reach(this);
        return apply(contentDocument, this, []);
      },
    });
  };

  guard(window);
}
