import { type Plugin, provide, Validator } from '@keyhost/spi';

/** Rejects values that contain a word: the setting of the validator. */
export default {
  name: '__name__',
  api: 1,
  messages: {
    en: { __word__Refused: 'Choose something without “{1}”.' },
    de: { __word__Refused: 'Wählen Sie etwas ohne „{1}“.' },
  },
  providers: [
    provide(Validator, {
      id: '__id__',
      describe: { displayName: 'Without a Word', helpText: 'Refuses values that contain the word.' },
      settings: {
        type: 'object',
        properties: { word: { type: 'string', title: 'Word', minLength: 3, default: 'admin' } },
      },
      open: () => ({
        create: () => ({
          async check({ values, config: { word } }) {
            const isThere = values.some((value) => value.toLowerCase().includes(word.toLowerCase()));
            return isThere ? [{ key: '__word__Refused', params: [word] }] : [];
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
