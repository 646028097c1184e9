import {
  ClientRegistrationPolicy,
  type ClientRegistrationRequest,
  type ClientRegistrationVerdict,
  provide,
} from '@keyhost/spi';

/** The request as a plugin sees it that ignores `readonly`. */
interface Meddled {
  readonly realm: { readonly defaultClientScopes: string[] };
  readonly client: { redirectUris: string[] };
  readonly config: { readonly does: string[] };
}

/** Right and wrong verdicts, by the policy's setting `does`. */
const answers: Readonly<Record<string, (request: Meddled) => Promise<unknown>>> = {
  allows: async () => undefined,
  refuses: async () => ({ refuse: 'Not today.' }),
  restricts: async () => ({ restrict: { enabled: false, fullScopeAllowed: false } }),
  blanks: async () => ({
    refuse: undefined,
    restrict: { enabled: undefined, fullScopeAllowed: undefined, redirectUris: undefined },
  }),
  throws: async () => {
    throw new Error('secret of the plugin');
  },
  frees: async () => ({ restrict: { enabled: true, fullScopeAllowed: true } }),
  lies: async () => ({ allow: true }),
  words: async () => 'yes',
  functions: async () => ({ refuse: () => 'no' }),
  meddles: async (request) => {
    request.realm.defaultClientScopes.length = 0;
    request.client.redirectUris = ['https://y.test/cb'];
    request.config.does.push('allows');
  },
};
export default {
  name: 'p',
  api: 1,
  providers: [
    provide(ClientRegistrationPolicy, {
      id: 'p',
      settings: { type: 'object', properties: { does: { type: 'string' } } },
      open: () => ({
        create: (session) => {
          const judge = async (request: ClientRegistrationRequest) => {
            session.logger.info('asked', { request: JSON.stringify(request) });
            const meddled = request as unknown as Meddled;
            return (await answers[meddled.config.does[0] ?? '']?.(meddled)) as Pick<
              ClientRegistrationVerdict,
              'refuse'
            >;
          };
          const checkConfig = async ({ config }: { readonly config: unknown }) => {
            (config as Meddled['config']).does.push('checked');
            return undefined;
          };
          return { beforeRegister: judge, beforeUpdate: judge, beforeView: judge, beforeDelete: judge, checkConfig };
        },
      }),
    }),
  ],
};
