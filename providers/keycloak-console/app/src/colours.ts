const DARK = '(prefers-color-scheme: dark)';
/** PatternFly's class for dark colours. */
const DARK_CLASS = 'pf-v5-theme-dark';

/** Follows the user's preference, unless the realm allows only light colours. */
export function followColours(darkMode: boolean): void {
  const preferred = matchMedia(DARK);
  const show = () => {
    const isDark = darkMode && preferred.matches;
    document.documentElement.classList.toggle(DARK_CLASS, isDark);
    document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
  };
  preferred.addEventListener('change', show);
  show();
}
