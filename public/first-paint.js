// The colours that the person chose, before anything is painted: the page's own script comes later.
try {
  const scheme = localStorage.getItem('tabserve-colour-scheme');
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.colourScheme = scheme;
} catch {
  // A browser that keeps nothing for the site has nothing to tell either.
}

// Browsers run no modules from files, so only this script can say so.
if (location.protocol === 'file:') document.documentElement.dataset.fromFile = '';
