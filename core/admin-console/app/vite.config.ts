import { defineConfig } from 'vite';

/** Addresses are relative, since the host puts its own path in front of those of the page. */
export default defineConfig({
  base: './',
  build: {
    target: 'es2023',
    // No inlining: the page's policy allows only files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      onLog(level, log, tell) {
        // Directives for React server components: there is no server here.
        if (log.code === 'MODULE_LEVEL_DIRECTIVE') return;
        tell(level === 'warn' ? 'error' : level, log);
      },
    },
  },
});
