import { type Plugin, provide, Theme } from '@keyhost/spi';

const TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { doLogIn: 'Come in' },
  de: { doLogIn: 'Herein' },
};

/** Other colours, and another text on the button; the pages stay the host's. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(Theme, {
      id: '__id__',
      realmConfig: {
        type: 'object',
        properties: { accent: { type: 'string', pattern: '^#[0-9a-f]{6}$', default: '#8a1c5b', guarded: false } },
        additionalProperties: false,
      },
      open: () => ({
        create: (_, config) => ({
          styles: async () => `:root { --accent: ${config.accent} }`,
          messages: async (locale) => TEXTS[locale] ?? {},
        }),
      }),
    }),
  ],
} satisfies Plugin;
