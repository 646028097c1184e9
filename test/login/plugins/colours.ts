import { provide, RequiredAction, type RequiredActionStep, type StepPage } from '@keyhost/spi';

const page = (config: Readonly<Record<string, string>>): StepPage => ({
  page: 'form',
  title: { key: config.title ?? '' },
  fields: [{ name: 'colour', label: { key: 'Colour' }, type: 'text' }],
  submit: { key: 'doSubmit' },
});
export default {
  name: 'colours',
  api: 1,
  providers: [
    provide(RequiredAction, {
      id: 'choose-colour',
      displayText: 'Choose a colour',
      open: () => ({
        create: () => ({
          triggered: async (user, { client, config }) =>
            user.attributes.colour === undefined && client.clientId !== config.spares,
          challenge: async ({ config }) => ({ outcome: 'challenge', page: page(config) }),
          action: async ({ config }, { colour = '' }) => {
            if (colour === 'throw') throw new Error('secret of the plugin');
            if (colour === 'nothing') return undefined as unknown as RequiredActionStep;
            return colour === 'pink'
              ? { outcome: 'challenge', page: page(config), message: { key: 'Not pink.' }, error: 'invalid_form' }
              : { outcome: 'success', attributes: { colour: [colour] }, notes: { colour } };
          },
        }),
      }),
    }),
  ],
};
