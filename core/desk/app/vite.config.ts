import { defineConfig } from 'vite';

/** Addresses are relative: the host puts its own path, whatever that is, in front of those of the page. */
export default defineConfig({
  base: './',
  build: {
    target: 'es2023',
    // Nothing is put into the page itself: its policy allows files alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      onLog(level, log, tell) {
        // What servers read of React components: there is no server here.
        if (log.code === 'MODULE_LEVEL_DIRECTIVE') return;
        tell(level === 'warn' ? 'error' : level, log);
      },
    },
  },
});
