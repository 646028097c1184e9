// Runs before the first paint, so that a page does not flash in the other colours.
(() => {
  try {
    const theme = localStorage.getItem('keyhost-docs-theme');
    if (theme) document.documentElement.dataset.theme = theme;
  } catch {
    // Without storage the page follows the system.
  }
})();
