import { defineConfig } from 'vite';
import { messages } from './messages-plugin.ts';

/** Addresses are relative, since the host puts its own path in front of those of the page. */
export default defineConfig({
  base: './',
  plugins: [messages()],
  resolve: { dedupe: ['react', 'react-dom', 'react-router-dom', 'react-i18next'] },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    chunkSizeWarningLimit: 4_000,
    rolldownOptions: {
      onLog(level, log, tell) {
        // Directives for React server components: there is no server here.
        if (log.code === 'MODULE_LEVEL_DIRECTIVE') return;
        tell(level, log);
      },
    },
  },
});
