import { ClientPolicyExecutor, type Plugin, provide } from '@keyhost/spi';

/** Requires clients to have an owner and few scopes. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(ClientPolicyExecutor, {
      id: '__id__',
      events: ['REGISTER', 'UPDATE', 'SERVICE_ACCOUNT_TOKEN_REQUEST'],
      describe: { displayName: 'Owned clients', helpText: 'Requires an owner, and allows some scopes.' },
      settings: {
        type: 'object',
        properties: { scopes: { type: 'array', items: { type: 'string' }, title: 'Scopes', default: [] } },
      },
      open: () => ({
        create: () => ({
          async apply({ event, client, config, scope = '' }) {
            if (event !== 'SERVICE_ACCOUNT_TOKEN_REQUEST') {
              const isOwned = (client.attributes.owner ?? '') !== '';
              return isOwned ? undefined : refusal('invalid_client_metadata', 'The client has no owner');
            }
            const allowed = config.scopes as readonly string[];
            const other = scope.split(' ').find((name) => name !== '' && !allowed.includes(name));
            return other === undefined ? undefined : refusal('invalid_scope', `The scope ${other} is not allowed`);
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;

function refusal(error: string, description: string) {
  return { refuse: { error, description } };
}
