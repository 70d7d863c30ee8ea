/**
 * Web Awesome's components know light and dark by a class on the root; the page's own colours need none.
 * Keeps that class in step with the system's setting.
 */
export function followColourScheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    document.documentElement.classList.toggle('wa-dark', dark.matches);
  };
  dark.addEventListener('change', apply);
  apply();
}
