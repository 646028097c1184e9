import { type Plugin, ProtocolMapper, provide } from '@keyhost/spi';

/** Adds the user's initials to tokens, under the name in the mapper's `claim.name`. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(ProtocolMapper, {
      id: '__id__',
      describe: { displayName: 'Initials', helpText: "Adds the user's initials to tokens." },
      settings: {
        type: 'object',
        properties: { 'claim.name': { type: 'string', title: 'Token Claim Name', default: 'initials' } },
      },
      open: () => ({
        create: () => ({
          async map({ user, config }) {
            const names = [user?.firstName, user?.lastName];
            const initials = names.map((name) => name?.slice(0, 1) ?? '').join('');
            return initials === '' ? {} : { [config['claim.name'] ?? 'initials']: initials };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
