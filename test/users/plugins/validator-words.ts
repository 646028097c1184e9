import { type Message, provide, Validator } from '@keyhost/spi';
export default {
  name: 'words',
  api: 1,
  messages: { en: { wordIn: 'No {1} in {0}, asked by {2}.' }, de: { wordIn: 'Kein {1} in {0}, sagt {2}.' } },
  providers: [
    provide(Validator, {
      id: 'no-word',
      describe: { displayName: 'No Word', helpText: 'Refuses a word.' },
      settings: {
        type: 'object',
        properties: { word: { type: 'string', title: 'Word', minLength: 3 }, most: { type: 'integer', default: 2 } },
        required: ['word'],
      },
      open: () => ({
        create: () => ({
          async check({ values, attributes, config, user, context }) {
            const all = values.join(' ');
            if (all.includes('throws')) throw new Error('the list of words is away');
            if (all.includes('nonsense')) return [{ nonsense: true }] as unknown as Message[];
            if (all.includes('dies')) process.exit(1);
            if (all.includes('hangs')) return new Promise<never>(() => {});
            // biome-ignore lint/plugin: the test is about the time limit of calls
            if (all.includes('slow')) await new Promise((resolve) => setTimeout(resolve, 700));
            const known = [
              context,
              user?.username ?? 'nobody',
              String(attributes.firstName?.[0] ?? ''),
              typeof config.most,
            ].join(' ');
            const found = values
              .filter((value) => value.includes(config.word))
              .map(() => ({ key: 'wordIn', params: [config.word, known] }));
            return all.includes('own words')
              ? [{ key: 'none', texts: { en: 'Own words.', de: 'Eigene Worte.' } }]
              : found;
          },
        }),
      }),
    }),
  ],
};
