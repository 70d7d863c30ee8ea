// Takes WebRTC, which no Content-Security-Policy limits, from the page and from frames that scripts make later.
// docs/content-security-policy.md says what remains.
{
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;

  const guard = (realm) => {
    try {
      if (!realm?.RTCPeerConnection && !realm?.webkitRTCPeerConnection) return;
    } catch {
      return; // A window of another origin.
    }
    delete realm.RTCPeerConnection;
    delete realm.webkitRTCPeerConnection;
    for (const { prototype } of [realm.HTMLIFrameElement, realm.HTMLFrameElement, realm.HTMLObjectElement]) {
      const { get: contentWindow } = getOwnPropertyDescriptor(prototype, 'contentWindow');
      for (const name of ['contentWindow', 'contentDocument']) {
        const { get } = getOwnPropertyDescriptor(prototype, name);
        defineProperty(prototype, name, {
          get() {
            guard(apply(contentWindow, this, []));
            return apply(get, this, []);
          },
        });
      }
    }
    // An empty frame is loaded before the script that adds it goes on.
    realm.document.addEventListener('load', ({ target }) => guard(target.contentWindow), true);
  };

  guard(window);
}
